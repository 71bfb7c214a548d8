import type { OutboundFetch } from '../../runtime/outbound-fetch.ts';
import { createOutboundFetch } from '../../runtime/outbound-fetch.ts';

/** A signed note of a checkpoint. */
export type NoteToSend = {
  readonly sequence: number;
  /** As `npm run ledger -- checkpoint --out` writes it. */
  readonly note: string;
};

export const witnessKinds = ['mail', 'timestamp'] as const;
export type WitnessKind = (typeof witnessKinds)[number];

/** Where a witness is. Contains no secret and no address of a person. */
export type WitnessPlace = {
  readonly kind: WitnessKind;
  /** The host that receives the note; of a mail the domain of its address. */
  readonly to: string;
};

/** A place outside the machine, where people with access to the ledger cannot change notes. */
export type Witness = WitnessPlace & {
  /**
   * Sends a note.
   * @returns the receipt: what the witness answered, for the operator.
   * @throws Error when the witness did not confirm. Its message contains no secret.
   */
  readonly send: (note: NoteToSend) => Promise<string>;
};

/** After this time the witness counts as failed. */
const timeoutSeconds = 10;

/** Calls one address only, and follows no redirect. */
export function outboundTo(url: string): OutboundFetch {
  return createOutboundFetch({ origins: [new URL(url).origin], timeoutSeconds });
}

/** @throws Error with the status, unless the answer is a success. The body may quote a secret. */
export function confirmSuccess({ ok, status }: Response): void {
  if (!ok) throw new Error(`The witness answered ${status}.`);
}

/** The name of a note's file: names sort as the checkpoints follow. */
export function fileOfNote(sequence: number): string {
  return `checkpoint-${String(sequence).padStart(8, '0')}.txt`;
}
