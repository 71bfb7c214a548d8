import { ok, type Result, rejected } from '@kilim/domain/result';
import {
  decideChange,
  differencesBetween,
  type Settings,
  type SettingsRejection,
  type VersionedSettings,
} from '@kilim/domain/settings/settings';
import { repeatWhileAway, type Sql, tooManyConflictsError } from '../database/database.ts';
import { appendToStream } from '../ledger/append-to-stream.ts';
import { encodeAdminEvent } from '../ledger/codecs/admin.ts';
import { canonicalJson } from '../ledger/codecs/order.ts';
import { settingsStream } from '../ledger/codecs/settings.ts';
import { sha256 } from '../ledger/contact.ts';
import { type RecordedChange, readChanges, type SavedSettings } from '../queries/saved-settings.ts';
import type { ProvenSession } from '../sign-in/sessions.ts';

export type SettingsWorld = { readonly sql: Sql; readonly saved: SavedSettings; readonly now: () => Date };

export type ChangeSettings = {
  /** Checked and cleaned at the edge. */
  readonly settings: Settings;
  readonly expectedVersion: number;
  readonly requestId: string;
};

/** One field that two people left different, with what it was before either of them touched it. */
export type SettingsConflict = {
  readonly path: string;
  readonly base: unknown;
  readonly yours: unknown;
  readonly theirs: unknown;
};

export type ChangeSettingsRejection =
  | Exclude<SettingsRejection, { code: 'ChangedMeanwhile' }>
  | {
      readonly code: 'ChangedMeanwhile';
      readonly theirs: VersionedSettings;
      readonly change: RecordedChange | undefined;
      readonly conflicts: readonly SettingsConflict[];
    };

/** Saves settings whole, unless somebody else has saved others since they were read. */
export async function changeSettings(
  world: SettingsWorld,
  session: ProvenSession,
  request: ChangeSettings,
): Promise<Result<VersionedSettings, ChangeSettingsRejection>> {
  return await repeatWhileAway(() => changeOnce(world, session, request));
}

const mostConflicts = 5;

async function changeOnce(
  world: SettingsWorld,
  session: ProvenSession,
  request: ChangeSettings,
): Promise<Result<VersionedSettings, ChangeSettingsRejection>> {
  const { settings, expectedVersion, requestId } = request;
  for (let conflicts = 0; conflicts < mostConflicts; conflicts += 1) {
    const current = await world.saved.refresh();
    const decision = decideChange({ settings, expectedVersion, by: session.username }, current);
    if (!decision.ok) {
      const { rejection } = decision;
      return rejected(rejection.code === 'ChangedMeanwhile' ? await conflictOf(world, current, request) : rejection);
    }
    if (decision.value === undefined) return ok(current);
    const event = encodeAdminEvent(decision.value);
    const { outcome } = await appendToStream(world.sql, {
      streamId: settingsStream,
      expectedVersion: current.version,
      // One version is saved once, whoever asks how often.
      commandId: `settings-${decision.value.version}-${sha256Hex(canonicalJson([session.id, event.payload]))}`,
      requestHash: sha256(event.payload),
      actor: `admin:${session.username}`,
      requestId,
      occurredAt: world.now(),
      events: [event],
    });
    if (outcome === 'appended') return ok(await world.saved.refresh());
  }
  throw tooManyConflictsError('the settings', mostConflicts);
}

function sha256Hex(text: string): string {
  return Buffer.from(sha256(text)).toString('hex');
}

/** What the administrator has to look at before saving again. */
async function conflictOf({ sql, saved }: SettingsWorld, theirs: VersionedSettings, request: ChangeSettings) {
  const base = await saved.at(request.expectedVersion);
  const [change] = await readChanges(sql, { before: theirs.version + 1, most: 1 });
  const baseValues = new Map(
    base === undefined
      ? []
      : differencesBetween(theirs.settings, base.settings).map(({ path, after }) => [path, after]),
  );
  const conflicts = differencesBetween(theirs.settings, request.settings).map(({ path, before, after }) => ({
    path,
    // Where they left it alone, it was what it is.
    base: baseValues.has(path) ? baseValues.get(path) : before,
    yours: after,
    theirs: before,
  }));
  return { code: 'ChangedMeanwhile' as const, theirs, change, conflicts };
}
