import * as z from 'zod/mini';

/**
 * `GET /api/admin/changes`: `version` differs after each event that the ledger has got meanwhile. Open pages compare it
 * with the one before, and load their data again when it has changed.
 */
export const changes = z.object({ version: z.string() });
export type ChangesAnswer = z.input<typeof changes>;
