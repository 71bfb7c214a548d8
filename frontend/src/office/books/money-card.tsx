import type { Glance } from '@kilim/bff/contract/glance';
import { formatDollars } from '@kilim/domain/money';
import { usePageData } from '../../shared/page-data.ts';
import { Badge } from '../shared/ui/badge.tsx';
import { Card, Facts } from '../shared/ui/card.tsx';
import { timeText } from '../shared/ui/format.ts';
import { booksTexts } from './texts.ts';

type GlanceProps = { readonly glance: Glance };

export function MoneyCard({ glance: { now, comparison } }: GlanceProps) {
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

export function SealsCard({ glance: { seals, verification } }: GlanceProps) {
  const { timeZone } = usePageData().config.business;
  const { last, unsealed, moreUnsealed, refused } = seals;
  const sealed = last && booksTexts.sealOf(last.sequence, timeText(last.sealedAt, timeZone));
  const verified = verification && booksTexts.verifiedOf(verification.events, timeText(verification.madeAt, timeZone));
  return (
    <Card title={booksTexts.seals} note={booksTexts.sealsNote}>
      <Facts
        facts={[
          [booksTexts.lastSeal, sealed ?? booksTexts.never],
          ...(refused === null ? [] : [[booksTexts.sealing, <Refused key="refused" reason={refused} />] as const]),
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

function Refused({ reason }: { readonly reason: string }) {
  return (
    <>
      <Badge tone="failed">{booksTexts.sealingRefused}</Badge> {reason}
    </>
  );
}

type FoundProps = { readonly verification: NonNullable<Glance['verification']> };

/** The last verification, with a sentence for each fault. */
function Found({ verification: { faults, firstFaults, signaturesChecked, keptNote } }: FoundProps) {
  const { timeZone } = usePageData().config.business;
  if (faults === 0) {
    const at = keptNote?.at ?? undefined;
    return (
      <>
        <Badge tone={keptNote === null ? 'pending' : 'completed'}>
          {keptNote === null ? booksTexts.notProven : booksTexts.whole}
        </Badge>{' '}
        {keptNote === null
          ? booksTexts.howToProve
          : booksTexts.provenBy(keptNote.sequence, at && timeText(at, timeZone))}{' '}
        {signaturesChecked ? null : booksTexts.unsigned}
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
