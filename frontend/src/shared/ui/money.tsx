import { type Cents, formatDollars } from '@kilim/domain/money';
import styles from './money.module.css';

export function Money({ amount }: { readonly amount: Cents }) {
  return <span className={styles.money}>{formatDollars(amount)}</span>;
}
