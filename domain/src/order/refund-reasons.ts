/** The ledger and the exports name only these. */
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

/** The measured rugs cost less than the ordered ones. */
export const measuredReason: RefundReason = 'Size corrected after measuring';

/** It may name people, so it stays out of the ledger. */
export type RefundText = { readonly reason?: string; readonly notes?: string };

/** The words beside the ledger are what the list lacks. */
export type SortedReason = { readonly reason: RefundReason | ''; readonly text: RefundText | undefined };

/** An unlisted reason is recorded as `Other`, with the words beside the ledger. */
export function sortReason(given: { readonly reason: string; readonly notes: string | undefined }): SortedReason {
  const reason = given.reason.trim();
  const notes = given.notes?.trim() ?? '';
  const listed = reason === '' ? reason : refundReasons.find((known) => known.toLowerCase() === reason.toLowerCase());
  const text: RefundText = { ...(listed === undefined ? { reason } : {}), ...(notes === '' ? {} : { notes }) };
  return { reason: listed ?? otherReason, text: Object.keys(text).length === 0 ? undefined : text };
}
