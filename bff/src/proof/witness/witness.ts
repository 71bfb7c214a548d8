import type { OutboundFetch } from '../../core/runtime/outbound-fetch.ts';
import { createOutboundFetch } from '../../core/runtime/outbound-fetch.ts';

export type NoteToSend = {
  readonly sequence: number;
  readonly note: string;
};

export const witnessKinds = ['mail', 'timestamp'] as const;
export type WitnessKind = (typeof witnessKinds)[number];

/** Contains no secret and no address of a person. */
export type WitnessPlace = {
  readonly kind: WitnessKind;
  /** The domain only, for a mail. */
  readonly to: string;
};

/** A place outside the machine, where people with access to the ledger cannot change notes. */
export type Witness = WitnessPlace & {
  /**
   * @returns the receipt, for the operator.
   * @throws Error without a secret when the witness did not confirm.
   */
  readonly send: (note: NoteToSend) => Promise<string>;
};

const timeoutSeconds = 10;

/** Calls one address only, and follows no redirect. */
export function outboundTo(url: string): OutboundFetch {
  return createOutboundFetch({ origins: [new URL(url).origin], timeoutSeconds });
}

/** @throws Error with the status, unless the answer is a success. The body may quote a secret. */
export function confirmSuccess({ ok, status }: Response): void {
  if (!ok) throw new Error(`The witness answered ${status}.`);
}

/** Names sort as the checkpoints follow. */
export function fileOfNote(sequence: number): string {
  return `checkpoint-${String(sequence).padStart(8, '0')}.txt`;
}
