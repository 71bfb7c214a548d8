import type { Diagnosis } from '../core/runtime/diagnosis.ts';
import type { WitnessPlace } from './witness/witness.ts';

/** A trial needs no witness. */
export function checkWitnesses(places: readonly WitnessPlace[], production: boolean): readonly Diagnosis[] {
  if (places.length === 0 && production) {
    return [
      {
        level: 'warning',
        problem: 'No witness is configured, so no note of the ledger leaves this machine.',
        remedy: 'Set MAIL_ACCOUNTANT_TO with SMTP_URL and MAIL_FROM: see docs/operations.md.',
      },
    ];
  }
  if (places.length > 0 && places.every(({ kind }) => kind === 'timestamp')) {
    return [
      {
        level: 'warning',
        variable: 'WITNESS_TIMESTAMP_URL',
        problem: 'a timestamp authority confirms the time of a note and keeps no copy.',
        remedy: 'Send the notes to the accountant, too: MAIL_ACCOUNTANT_TO.',
      },
    ];
  }
  return [];
}

export function ruleOfWitnesses(places: readonly WitnessPlace[]): string {
  if (places.length === 0) return 'No witness is configured, so no note of the ledger leaves this machine';
  return `Notes of the ledger go to ${places.map(({ kind, to }) => `${to} (${kind})`).join(', ')}`;
}
