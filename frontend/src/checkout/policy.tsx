import styles from './policy.module.css';
import { type PolicyName, policyTexts } from './policy-texts.ts';

export function Policy({ name }: { readonly name: PolicyName }) {
  const { title, sentences } = policyTexts[name];
  return (
    <section id={name} className={styles.policy} aria-label={title}>
      <h3>{title}</h3>
      <ul>
        {sentences.map((sentence) => (
          <li key={sentence}>{sentence}</li>
        ))}
      </ul>
    </section>
  );
}
