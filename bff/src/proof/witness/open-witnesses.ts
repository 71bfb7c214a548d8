import { type MailPlace, mailWitness } from './send-mail.ts';
import { timestampWitness } from './timestamp.ts';
import type { Witness } from './witness.ts';

export type WitnessPlaces = {
  readonly mail: MailPlace | undefined;
  readonly timestampUrl: string | undefined;
};

export function openWitnesses({ mail, timestampUrl }: WitnessPlaces): readonly Witness[] {
  return [
    ...(mail === undefined ? [] : [mailWitness(mail)]),
    ...(timestampUrl === undefined ? [] : [timestampWitness(timestampUrl)]),
  ];
}
