import {
  type BusinessDetails,
  builtInSettingsFor,
  type SettingsChanged,
  type VersionedSettings,
} from '@kilim/domain/settings/settings';
import { isDatabaseAway, repeatWhileAway, type Sql } from '../database/database.ts';
import { decodeSettingsChanged, type StoredSettingsRow, settingsStream } from '../ledger/codecs/settings.ts';
import type { Logger } from '../server/logger.ts';

/** The settings that hold now. They are what the last event of their stream says; nothing else stores them. */
export type SavedSettings = {
  /** To show: what was read last, also while the database is away. */
  readonly latest: () => VersionedSettings;
  /**
   * To charge by: read at most a second ago, else read now.
   * @throws when the database is away: then nothing is sold at a price that may be an old one.
   */
  readonly current: () => Promise<VersionedSettings>;
  /** Reads now: after a save, so that whoever saved sees it at once. */
  readonly refresh: () => Promise<VersionedSettings>;
  /** Any version that ever held; undefined for one that never did. */
  readonly at: (version: number) => Promise<VersionedSettings | undefined>;
  readonly stop: () => void;
};

export type SavedSettingsOptions = {
  readonly sql: Sql;
  readonly log: Logger;
  /** How the operator configured the business: holds until somebody saves settings. */
  readonly business: BusinessDetails;
};

const oldestMs = 1000;
/** Reading on ahead keeps what is charged by fresh without a wait on anybody's way to pay. */
const refreshEveryMs = 700;

/** Reads the settings, and from then on whatever is saved, in this process or another. */
export async function openSavedSettings({ sql, log, business }: SavedSettingsOptions): Promise<SavedSettings> {
  const builtIn = builtInSettingsFor(business);
  let known = builtIn;
  let readAt = Number.NEGATIVE_INFINITY;
  let reading: Promise<VersionedSettings> | undefined;

  const read = async () => {
    // When it was asked, not when it was answered: a save in between is not in the answer.
    const askedAt = performance.now();
    const saved = await repeatWhileAway(() => readLastChange(sql, known.version));
    if (saved !== undefined && saved.version > known.version) known = saved;
    readAt = Math.max(readAt, askedAt);
    return known;
  };
  /** Everybody who asks while it is being read gets the same answer. */
  const readTogether = () => {
    reading ??= read().finally(() => (reading = undefined));
    return reading;
  };
  await read();
  const timer = setInterval(() => {
    readTogether().catch((error: unknown) => {
      if (!isDatabaseAway(error)) log.error({ err: error }, 'the settings cannot be read');
    });
  }, refreshEveryMs);
  timer.unref();
  return {
    latest: () => known,
    current: async () => (performance.now() - readAt <= oldestMs ? known : await readTogether()),
    refresh: read,
    at: async (version) => {
      if (version === 0) return builtIn;
      return version === known.version ? known : await repeatWhileAway(() => readChange(sql, version));
    },
    stop: () => clearInterval(timer),
  };
}

/** Nothing when nobody has saved anything since: then no settings travel. */
async function readLastChange(sql: Sql, afterVersion: number): Promise<VersionedSettings | undefined> {
  const [row] = await sql<StoredSettingsRow[]>`
    select type, schema_version, payload::text as payload from ledger.event
    where stream_id = ${settingsStream} and version > ${afterVersion}
    order by version desc limit 1`;
  return row === undefined ? undefined : decodeSettingsChanged(row);
}

async function readChange(sql: Sql, version: number): Promise<VersionedSettings | undefined> {
  const [row] = await sql<StoredSettingsRow[]>`
    select type, schema_version, payload::text as payload from ledger.event
    where stream_id = ${settingsStream} and version = ${version}`;
  return row === undefined ? undefined : decodeSettingsChanged(row);
}

export type RecordedChange = SettingsChanged & { readonly at: Date };

/** What was saved, newest first, from before a version on. */
export async function readChanges(
  sql: Sql,
  { before, most }: { readonly before: number; readonly most: number },
): Promise<readonly RecordedChange[]> {
  const rows = await sql<(StoredSettingsRow & { readonly occurred_at: Date })[]>`
    select type, schema_version, payload::text as payload, occurred_at from ledger.event
    where stream_id = ${settingsStream} and version < ${before}
    order by version desc limit ${most}`;
  return rows.map((row) => ({ ...decodeSettingsChanged(row), at: row.occurred_at }));
}
