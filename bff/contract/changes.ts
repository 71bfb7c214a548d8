import * as z from 'zod/mini';

/**
 * `GET /api/admin/changes`: `version` differs after each event of the ledger, and after a change of what the office
 * shows beside it: notes, work that waits for a person, comparisons of the books. Open pages compare it with the one before,
 * and load their data again when it has changed.
 */
export const changes = z.object({ version: z.string() });
export type ChangesAnswer = z.input<typeof changes>;
