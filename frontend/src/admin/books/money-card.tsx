import { usePageData } from '../../shared/page-data.ts';
import { Card, Facts } from '../ui/card.tsx';
import { timeText } from '../ui/format.ts';
import { booksTexts } from './texts.ts';
import { totalText } from './total-text.ts';
import type { Glance } from './wire.ts';

type GlanceProps = { readonly glance: Glance };

/** What the ledger holds now, and where it is. */
export function MoneyCard({ glance: { now, comparison } }: GlanceProps) {
  const elsewhere = comparison?.paidOut.elsewhere ?? 0;
  return (
    <Card title={booksTexts.money} note={booksTexts.moneyNote}>
      <Facts
        facts={[
          [booksTexts.taken, totalText(now.taken)],
          [booksTexts.refunded, totalText(now.refunded)],
          [booksTexts.fees, totalText(now.fees)],
          [booksTexts.squareHas, totalText(now.atSquare)],
          [booksTexts.onItsWay, totalText(now.onItsWay)],
          [booksTexts.atBank, totalText(now.atBank)],
          ...(elsewhere === 0 ? [] : [[booksTexts.elsewhere, totalText(elsewhere)] as const]),
        ]}
      />
    </Card>
  );
}

export function SealsCard({ glance: { seals } }: GlanceProps) {
  const { timeZone } = usePageData().config.business;
  const { last, unsealed, moreUnsealed } = seals;
  return (
    <Card title={booksTexts.seals} note={booksTexts.sealsNote}>
      <Facts
        facts={[
          [
            booksTexts.lastSeal,
            last === null ? booksTexts.never : booksTexts.sealOf(last.sequence, timeText(last.sealedAt, timeZone)),
          ],
          [booksTexts.waiting, moreUnsealed ? booksTexts.atLeast(unsealed) : unsealed],
          [booksTexts.verify, <code key="verify">npm run ledger -- verify</code>],
        ]}
      />
    </Card>
  );
}
