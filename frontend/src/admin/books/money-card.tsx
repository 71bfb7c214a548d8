import { usePageData } from '../../shared/page-data.ts';
import { Badge } from '../ui/badge.tsx';
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

export function SealsCard({ glance: { seals, verification } }: GlanceProps) {
  const { timeZone } = usePageData().config.business;
  const { last, unsealed, moreUnsealed } = seals;
  const sealed = last && booksTexts.sealOf(last.sequence, timeText(last.sealedAt, timeZone));
  const verified = verification && booksTexts.verifiedOf(verification.events, timeText(verification.madeAt, timeZone));
  return (
    <Card title={booksTexts.seals} note={booksTexts.sealsNote}>
      <Facts
        facts={[
          [booksTexts.lastSeal, sealed ?? booksTexts.never],
          [booksTexts.waiting, moreUnsealed ? booksTexts.atLeast(unsealed) : unsealed],
          [booksTexts.verified, verified ?? booksTexts.never],
          ...(verification === null
            ? []
            : [[booksTexts.found, <Found key="found" verification={verification} />] as const]),
          [booksTexts.verify, <code key="verify">npm run ledger -- verify</code>],
        ]}
      />
    </Card>
  );
}

type FoundProps = { readonly verification: NonNullable<Glance['verification']> };

/** What the last proof of the ledger found; each fault is a sentence that names the place. */
function Found({ verification: { faults, firstFaults, signaturesChecked } }: FoundProps) {
  if (faults === 0) {
    return (
      <>
        <Badge tone="completed">{booksTexts.whole}</Badge> {signaturesChecked ? null : booksTexts.unsigned}
      </>
    );
  }
  return (
    <>
      <Badge tone="failed">{booksTexts.faults(faults)}</Badge>
      {firstFaults.map((fault) => (
        <div key={fault}>{fault}</div>
      ))}
      {faults > firstFaults.length && booksTexts.more(firstFaults.length, faults)}
    </>
  );
}
