import styles from './feature-list.module.css';
import { CheckIcon } from './icons.tsx';

export function FeatureList({ features }: { readonly features: readonly string[] }) {
  return (
    <ul className={styles.features}>
      {features.map((feature) => (
        <li key={feature}>
          <CheckIcon />
          {feature}
        </li>
      ))}
    </ul>
  );
}
