import { type MailPlace, mailWitness } from './send-mail.ts';
import type { Witness } from './witness.ts';

export type WitnessPlaces = {
  readonly mail: MailPlace | undefined;
  readonly timestampUrl: string | undefined;
};

export async function openWitnesses({ mail, timestampUrl }: WitnessPlaces): Promise<readonly Witness[]> {
  return [
    ...(mail === undefined ? [] : [mailWitness(mail)]),
    ...(timestampUrl === undefined ? [] : [await timestampAuthority(timestampUrl)]),
  ];
}

/** Few shops have one, and its ASN.1 takes a twentieth of a start. */
async function timestampAuthority(url: string): Promise<Witness> {
  const { timestampWitness } = await import('./timestamp.ts');
  return timestampWitness(url);
}
