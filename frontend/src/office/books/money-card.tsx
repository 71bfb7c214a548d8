import type { Glance } from '@kilim/bff/contract/glance';
import { formatDollars } from '@kilim/domain/money';
import { Card, Facts } from '../shared/ui/card.tsx';
import { booksTexts } from './texts.ts';

export function MoneyCard({ glance: { now, comparison } }: { readonly glance: Glance }) {
  const elsewhere = comparison?.paidOut.elsewhere ?? 0;
  return (
    <Card title={booksTexts.money} note={booksTexts.moneyNote}>
      <Facts
        facts={[
          [booksTexts.taken, formatDollars(now.taken)],
          [booksTexts.cardRefunds, formatDollars(now.cardRefunds)],
          [booksTexts.fees, formatDollars(now.fees)],
          [booksTexts.squareHas, formatDollars(now.atSquare)],
          [booksTexts.onItsWay, formatDollars(now.onItsWay)],
          [booksTexts.atBank, formatDollars(now.atBank)],
          ...(elsewhere === 0 ? [] : [[booksTexts.elsewhere, formatDollars(elsewhere)] as const]),
        ]}
      />
    </Card>
  );
}
