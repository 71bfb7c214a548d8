import { evolve, nothingResolved, type Resolutions } from '@kilim/domain/accounting/resolutions';
import type { Sql, Transaction } from '../database/database.ts';
import { resolutionsCodec, resolutionsStream } from '../ledger/codecs/resolutions.ts';
import { readStream } from '../ledger/read.ts';

export const resolutionsKind = { streamId: resolutionsStream, codec: resolutionsCodec };

export type RecordedResolution = Awaited<ReturnType<typeof readResolutionEvents>>[number];

/** The oldest first. */
export async function readResolutionEvents(sql: Sql | Transaction) {
  const { events } = await readStream(sql, resolutionsKind);
  return events.map(({ event, version, occurredAt: at }) => ({ event, version, at }));
}

export async function readResolutions(sql: Sql | Transaction): Promise<Resolutions> {
  return resolutionsOf(await readResolutionEvents(sql));
}

export function resolutionsOf(recorded: readonly RecordedResolution[]): Resolutions {
  return recorded.map(({ event }) => event).reduce(evolve, nothingResolved);
}
