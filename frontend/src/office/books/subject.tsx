import { Link } from '@tanstack/react-router';
import { shortOrderId } from '../shared/ui/format.ts';
import styles from './books.module.css';
import { booksTexts } from './texts.ts';

type SubjectProps = {
  readonly orderId: string | null;
  readonly squareId: string | null;
  readonly otherwise?: string;
};

export function Subject({ orderId, squareId, otherwise }: SubjectProps) {
  return (
    <div className={styles.subject}>
      {orderId === null && otherwise}
      {orderId !== null && (
        <Link to="/admin/orders/$orderId" params={{ orderId }}>
          {booksTexts.order(shortOrderId(orderId))}
        </Link>
      )}
      {squareId !== null && <span>{booksTexts.idAtSquare(squareId)}</span>}
    </div>
  );
}
