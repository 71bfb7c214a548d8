import * as z from 'zod/mini';

/**
 * `version` differs after each event of the ledger, and after a change of what the office shows beside it: notes, work
 * that waits for a person, comparisons of the books.
 */
export const changes = z.object({ version: z.string() });
export type ChangesAnswer = z.input<typeof changes>;
