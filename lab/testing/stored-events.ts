import { readFileSync } from 'node:fs';
import type { StoredEvent } from '../../bff/src/core/ledger/codecs/codec.ts';

/** A payload of each type and version as it was written then. A line is never changed; new ones are added. */
const file = new URL('../../bff/src/core/ledger/codecs/stored-events.txt', import.meta.url);

export const storedEvents: readonly StoredEvent[] = readFileSync(file, 'utf8')
  .trim()
  .split('\n')
  .map((line) => {
    const [type = '', version, ...payload] = line.split(' ');
    return { type, schemaVersion: Number(version), payload: payload.join(' ') };
  });

export function storedPayload(type: string, schemaVersion: number): string {
  const found = storedEvents.find((stored) => stored.type === type && stored.schemaVersion === schemaVersion);
  if (found === undefined) throw new Error(`There is no stored ${type} of version ${schemaVersion}`);
  return found.payload;
}
