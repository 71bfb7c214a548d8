import { builtInRefundLimits, lowerLimits, raisesLimits } from '@kilim/domain/people/refund-limits';
import {
  type BusinessDetails,
  builtInSettingsFor,
  type SettingsChanged,
  type VersionedSettings,
} from '@kilim/domain/settings/settings';
import { type Look, openLook } from '../background/look.ts';
import { repeat } from '../background/repeat.ts';
import type { Sql } from '../database/database.ts';
import { repeatWhileAway } from '../database/repeat-while-away.ts';
import { findAuthenticity } from '../ledger/authenticity.ts';
import type { StoredEvent } from '../ledger/codecs/codec.ts';
import { settingsCodec, settingsStream } from '../ledger/codecs/settings.ts';
import type { Logger } from '../runtime/logger.ts';

/** The content of the last event in their stream, and stored nowhere else. */
export type SavedSettings = {
  /** For display, also while the database is unreachable. */
  readonly latest: () => VersionedSettings;
  /**
   * For charging: at most a second old.
   * @throws when the database is unreachable: no order is charged at a possibly outdated price.
   */
  readonly current: () => Promise<VersionedSettings>;
  /** After a save, the admin sees the new settings without delay. */
  readonly refresh: () => Promise<VersionedSettings>;
  /** Undefined when the version does not exist. */
  readonly at: (version: number) => Promise<VersionedSettings | undefined>;
  readonly stop: () => Promise<void>;
};

export type SavedSettingsOptions = {
  readonly sql: Sql;
  readonly log: Logger;
  /** Valid until settings are first saved. */
  readonly business: BusinessDetails;
  readonly look?: Look;
};

const oldestMs = 1000;
/** Polling keeps the settings fresh, so payments do not wait for a read. */
const refreshEverySeconds = 1;

/** Follows saves of this and other processes. */
export async function openSavedSettings(options: SavedSettingsOptions): Promise<SavedSettings> {
  const { sql, log, business, look = openLook(sql) } = options;
  const builtIn = builtInSettingsFor(business);
  let known = builtIn;
  let readAt = Number.NEGATIVE_INFINITY;
  let reading: Promise<VersionedSettings> | undefined;

  const read = async () => {
    // Not the instant of the answer, which may lack a save in between.
    const askedAt = performance.now();
    const saved = await repeatWhileAway(() => readLastSettings(sql, known.version));
    if (saved !== undefined && saved.version > known.version) known = saved;
    readAt = Math.max(readAt, askedAt);
    return known;
  };
  const readTogether = () => {
    reading ??= read().finally(() => (reading = undefined));
    return reading;
  };
  await read();
  const round = async () => {
    const seen = await look.now();
    if (seen === undefined || seen.settingsVersion > known.version) await readTogether();
    else readAt = Math.max(readAt, seen.askedAt);
    return 0;
  };
  const polling = repeat(log, { what: 'the settings', everySeconds: refreshEverySeconds, round });
  return {
    latest: () => known,
    current: async () => (performance.now() - readAt <= oldestMs ? known : await readTogether()),
    refresh: read,
    at: async (version) => {
      if (version === 0) return builtIn;
      return version === known.version ? known : await repeatWhileAway(() => readChange(sql, version));
    },
    stop: polling.stop,
  };
}

/**
 * An unproven newest version raises no limit on refunds above the last proven or the built-in one.
 * @returns undefined when there is no version after this one.
 */
export async function readLastSettings(sql: Sql, afterVersion = 0): Promise<VersionedSettings | undefined> {
  const [row] = await sql<(StoredEvent & { readonly version: number })[]>`
    select version, type, schema_version as "schemaVersion", payload::text as payload from ledger.event
    where stream_id = ${settingsStream} and version > ${afterVersion}
    order by version desc limit 1`;
  if (row === undefined) return undefined;
  const { version } = row;
  const { settings } = settingsCodec.decode(row);
  const authenticity = findAuthenticity(sql);
  if (authenticity === undefined) return { version, settings };
  const proven = await authenticity.readLast(sql, { streamId: settingsStream, codec: settingsCodec });
  // A server may have appended another version meanwhile.
  if (proven !== undefined && proven.version >= version) return proven;
  const provenLimits = proven?.settings.refundLimits ?? builtInRefundLimits;
  const { refundLimits } = settings;
  const isSame = !raisesLimits(provenLimits, refundLimits) && !raisesLimits(refundLimits, provenLimits);
  if (isSame) return { version, settings };
  return {
    version,
    settings: { ...settings, refundLimits: lowerLimits(refundLimits, provenLimits) },
    isUnproven: true,
  };
}

async function readChange(sql: Sql, version: number): Promise<VersionedSettings | undefined> {
  const [row] = await sql<StoredEvent[]>`
    select type, schema_version as "schemaVersion", payload::text as payload from ledger.event
    where stream_id = ${settingsStream} and version = ${version}`;
  return row === undefined ? undefined : settingsCodec.decode(row);
}

export type RecordedChange = SettingsChanged & { readonly at: Date };

/** Newest first. */
export async function readChanges(
  sql: Sql,
  { before, most }: { readonly before: number; readonly most: number },
): Promise<readonly RecordedChange[]> {
  const rows = await sql<(StoredEvent & { readonly at: Date })[]>`
    select type, schema_version as "schemaVersion", payload::text as payload, occurred_at as at from ledger.event
    where stream_id = ${settingsStream} and version < ${before}
    order by version desc limit ${most}`;
  return rows.map((row) => ({ ...settingsCodec.decode(row), at: row.at }));
}
