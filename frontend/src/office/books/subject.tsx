import { Link } from '@tanstack/react-router';
import { orderNumberText } from '../../shared/order-number.ts';
import cards from '../shared/ui/card.module.css';
import { Technical } from '../shared/ui/technical.tsx';
import { booksTexts } from './texts.ts';

type SubjectProps = {
  readonly orderId: string | null;
  readonly squareId: string | null;
  readonly otherwise?: string;
};

export function Subject({ orderId, squareId, otherwise }: SubjectProps) {
  return (
    <div className={cards.subject}>
      {orderId === null && otherwise}
      {orderId !== null && (
        <Link to="/admin/orders/$orderId" params={{ orderId }}>
          {booksTexts.order(orderNumberText(orderId))}
        </Link>
      )}
      {squareId !== null && <Technical>{booksTexts.idAtSquare(squareId)}</Technical>}
    </div>
  );
}
