import type { Glance } from '@kilim/bff/contract/glance';
import { usePageData } from '../../shared/page-data.ts';
import { Badge } from '../ui/badge.tsx';
import { Card, Facts } from '../ui/card.tsx';
import { timeText } from '../ui/format.ts';
import { booksTexts } from './texts.ts';

/** When each place outside the server got the newest note. */
export function WitnessCard({ glance: { witnesses } }: { readonly glance: Glance }) {
  return (
    <Card title={booksTexts.witnesses} note={booksTexts.witnessesNote}>
      {witnesses.length === 0 ? (
        <p>{booksTexts.noWitness}</p>
      ) : (
        <Facts
          facts={witnesses.map((witness) => [
            booksTexts.witness(witness.kind, witness.to),
            <WitnessState key={witness.to} witness={witness} />,
          ])}
        />
      )}
    </Card>
  );
}

type WitnessStateProps = { readonly witness: Glance['witnesses'][number] };

function WitnessState({ witness: { last, isLate } }: WitnessStateProps) {
  const { timeZone } = usePageData().config.business;
  const sent = last === null ? booksTexts.noNote : booksTexts.gotNote(last.sequence, timeText(last.sentAt, timeZone));
  if (isLate) {
    return (
      <>
        <Badge tone="failed">{booksTexts.late}</Badge> {sent} {booksTexts.whenLate}
      </>
    );
  }
  return (
    <>
      <Badge tone={last === null ? 'pending' : 'completed'}>{last === null ? booksTexts.waits : booksTexts.kept}</Badge>{' '}
      {sent}
    </>
  );
}
