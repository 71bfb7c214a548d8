import { raisesLimits } from '@kilim/domain/people/refund-limits';
import { ok, type Result, rejected } from '@kilim/domain/result';
import { decideChange, type SettingsRejection } from '@kilim/domain/settings/decide-change';
import { differencesBetween } from '@kilim/domain/settings/differences';
import type { Settings, SettingsChanged, VersionedSettings } from '@kilim/domain/settings/settings';
import type { Sql } from '../database/database.ts';
import { repeatWhileAway } from '../database/repeat-while-away.ts';
import type { Doorkeeper } from '../http/door.ts';
import type { ProvenSession } from '../http/proven.ts';
import { settingsCodec, settingsStream } from '../ledger/codecs/settings.ts';
import { handle, streamTarget } from '../ledger/handle.ts';
import { canonicalJson, sha256 } from '../ledger/hash.ts';
import { type RecordedChange, readChanges, type SavedSettings } from '../queries/saved-settings.ts';
import { dayIn } from '../runtime/day-in.ts';

export type SettingsWorld = {
  readonly sql: Sql;
  readonly saved: SavedSettings;
  readonly now: () => Date;
  readonly timeZone: string;
  readonly hasProvenWithin: Doorkeeper['hasProvenWithin'];
};

export type ChangeSettings = {
  /** Checked and cleaned at the edge. */
  readonly settings: Settings;
  /** The administrator saw the limits on refunds. */
  readonly namesLimits: boolean;
  readonly expectedVersion: number;
  readonly requestId: string;
};

/** A stolen session must not raise the limits that protect against stolen sessions. */
const proofSeconds = 60;

export type SettingsConflict = {
  readonly path: string;
  readonly base: unknown;
  readonly yours: unknown;
  readonly theirs: unknown;
};

type LimitsRejection =
  | { readonly code: 'ProofRequired' }
  /** No server recorded the limits. Another field is not saved before somebody has looked at them. */
  | { readonly code: 'LimitsUnproven' };

export type ChangeSettingsRejection =
  | Exclude<SettingsRejection, { code: 'ChangedMeanwhile' }>
  | LimitsRejection
  | {
      readonly code: 'ChangedMeanwhile';
      readonly theirs: VersionedSettings;
      readonly change: RecordedChange | undefined;
      readonly conflicts: readonly SettingsConflict[];
    };

/** Unless another administrator has saved in between. */
export async function changeSettings(
  world: SettingsWorld,
  session: ProvenSession,
  request: ChangeSettings,
): Promise<Result<VersionedSettings, ChangeSettingsRejection>> {
  const { settings, namesLimits, expectedVersion, requestId } = request;
  const { sql, saved } = world;
  const { id: sessionId, username } = session;
  const kind = { streamId: settingsStream, codec: settingsCodec };
  const isProven = await repeatWhileAway(() => world.hasProvenWithin(session, proofSeconds));
  const content = sha256(canonicalJson([sessionId, settings])).toString('hex');
  const handled = await handle(world, streamTarget(sql, kind, saved.refresh), {
    // The same save, sent again, records nothing.
    commandId: `settings-${expectedVersion + 1}-${content}`,
    actor: `admin:${username}`,
    requestId,
    decide: (current): Result<readonly SettingsChanged[], SettingsRejection | LimitsRejection> => {
      const today = dayIn(world.timeZone, world.now());
      const decision = decideChange({ settings, expectedVersion, today, by: username }, current);
      if (!decision.ok) return decision;
      if (current.isUnproven === true && !namesLimits) return rejected({ code: 'LimitsUnproven' });
      const isRaise = raisesLimits(current.settings.refundLimits, settings.refundLimits);
      if (isRaise && !isProven) return rejected({ code: 'ProofRequired' });
      return ok(decision.value === undefined ? [] : [decision.value]);
    },
  });
  if (handled.outcome === 'repeated') return ok(handled.stream);
  if (handled.outcome === 'recorded') return ok(await saved.refresh());
  const { rejection, stream: current } = handled;
  if (rejection.code !== 'ChangedMeanwhile') return rejected(rejection);
  return rejected(await repeatWhileAway(() => conflictOf(world, current, request)));
}

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
    // The other administrator left the field alone.
    base: baseValues.has(path) ? baseValues.get(path) : before,
    yours: after,
    theirs: before,
  }));
  return { code: 'ChangedMeanwhile' as const, theirs, change, conflicts };
}
