/** The reasons that the ledger and the exports name. The dialog suggests them. */
export const refundReasons = [
  'Customer request',
  'Service not performed',
  'Rug damaged during cleaning',
  'Result not satisfactory',
  'Size corrected after measuring',
  'Duplicate order',
  'Delay',
  'Goodwill',
  'Other',
] as const;
export type RefundReason = (typeof refundReasons)[number];

const otherReason: RefundReason = 'Other';

/** What an administrator wrote about a refund. It may name people, so it stays out of the ledger. */
export type RefundText = { readonly reason?: string; readonly notes?: string };

/** A reason of the list, as the ledger records it, and the rest, which is stored beside the ledger. */
export type SortedReason = { readonly reason: RefundReason | ''; readonly text: RefundText | undefined };

/** A reason that is not on the list is recorded as `Other`, with the words beside the ledger. No reason stays none. */
export function sortReason(given: { readonly reason: string; readonly notes: string | undefined }): SortedReason {
  const reason = given.reason.trim();
  const notes = given.notes?.trim() ?? '';
  const listed = reason === '' ? reason : refundReasons.find((known) => known.toLowerCase() === reason.toLowerCase());
  const text: RefundText = { ...(listed === undefined ? { reason } : {}), ...(notes === '' ? {} : { notes }) };
  return { reason: listed ?? otherReason, text: Object.keys(text).length === 0 ? undefined : text };
}
