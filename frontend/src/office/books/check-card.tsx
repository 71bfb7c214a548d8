import type { Glance } from '@kilim/bff/contract/glance';
import { Alert } from 'antd';
import { usePageData } from '../../shared/page-data.ts';
import { CheckButton, CheckState, useChecking } from '../shared/accounting/check-now.tsx';
import { countFaults } from '../shared/accounting/glance-query.ts';
import { Badge } from '../shared/ui/badge.tsx';
import cards from '../shared/ui/card.module.css';
import { Card, type Fact, Facts } from '../shared/ui/card.tsx';
import { timeText } from '../shared/ui/format.ts';
import { Technical } from '../shared/ui/technical.tsx';
import { booksTexts } from './texts.ts';

type GlanceProps = { readonly glance: Glance };

/** Whether anything was changed afterwards, and what proves it. */
export function CheckCard({ glance }: GlanceProps) {
  const checking = useChecking();
  const { refused } = glance.seals;
  return (
    <Card title={booksTexts.unchanged} note={booksTexts.unchangedNote} actions={<CheckButton {...checking} />}>
      <div className={cards.stack}>
        {refused !== null && (
          <Alert type="error" showIcon title={booksTexts.sealingRefused} description={booksTexts.whenRefused} />
        )}
        <CheckState checking={checking} glance={glance} />
        <p className={cards.soft}>{booksTexts.sameServer}</p>
        <Technical isOpen={countFaults(glance) > 0}>
          <div className={cards.stack}>
            {refused !== null && <p>{refused}</p>}
            <Seals glance={glance} />
            <Witnesses glance={glance} />
          </div>
        </Technical>
      </div>
    </Card>
  );
}

function Seals({ glance: { seals, check, verification } }: GlanceProps) {
  const { timeZone } = usePageData().config.business;
  const { last, unsealed, moreUnsealed } = seals;
  const sealed = last && booksTexts.sealOf(last.sequence, timeText(last.sealedAt, timeZone));
  const facts: readonly (Fact | false)[] = [
    [booksTexts.lastSeal, sealed ?? booksTexts.never],
    [booksTexts.waiting, moreUnsealed ? booksTexts.atLeast(unsealed) : unsealed.toLocaleString('en-US')],
    check !== null && [booksTexts.checked, <Found key="check" found={check} />, 'wide'],
    [
      booksTexts.verified,
      verification === null ? booksTexts.neverVerified : <Found key="verified" found={verification} isProof />,
      'wide',
    ],
  ];
  return (
    <>
      <h3>{booksTexts.seals}</h3>
      <p className={cards.soft}>{booksTexts.sealsNote}</p>
      <Facts facts={facts} />
    </>
  );
}

type FoundProps = { readonly found: NonNullable<Glance['check']>; readonly isProof?: boolean };

/** When, how many events, and a sentence for each fault. */
function Found({ found, isProof = false }: FoundProps) {
  const { timeZone } = usePageData().config.business;
  const { madeAt, events, faults, firstFaults, signaturesChecked } = found;
  return (
    <>
      <p>
        {booksTexts.checkedOf(events, timeText(madeAt, timeZone))}{' '}
        {isProof && faults === 0 && proofText(found, timeZone)} {signaturesChecked ? null : booksTexts.unsigned}
      </p>
      {firstFaults.map((fault) => (
        <p key={fault}>{fault}</p>
      ))}
      {faults > firstFaults.length && booksTexts.more(firstFaults.length, faults)}
    </>
  );
}

function proofText({ keptNote }: NonNullable<Glance['verification']>, timeZone: string): string {
  if (keptNote === null) return booksTexts.notProven;
  const { sequence, at } = keptNote;
  return booksTexts.provenBy(sequence, at === null ? undefined : timeText(at, timeZone));
}

/** When each place got the newest note. */
function Witnesses({ glance: { witnesses } }: GlanceProps) {
  return (
    <>
      <h3>{booksTexts.witnesses}</h3>
      <p className={cards.soft}>{booksTexts.witnessesNote}</p>
      {witnesses.length === 0 && <p>{booksTexts.noWitness}</p>}
      {witnesses.length > 0 && (
        <Facts
          facts={witnesses.map((witness) => [
            booksTexts.witness(witness.kind, witness.to),
            <WitnessState key={witness.to} witness={witness} />,
          ])}
        />
      )}
    </>
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
