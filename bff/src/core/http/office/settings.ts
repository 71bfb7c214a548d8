import { formatDay } from '@kilim/domain/format-day';
import { formatDollars } from '@kilim/domain/money';
import { decimalPercent } from '@kilim/domain/percent';
import type { UnacceptableSettings } from '@kilim/domain/settings/decide-change';
import { describeChange, fieldName } from '@kilim/domain/settings/describe-change';
import type { VersionedSettings } from '@kilim/domain/settings/settings';
import { unreachable } from '@kilim/domain/unreachable';
import type { Context } from 'hono';
import type { SettingsConflictAnswer, SettingsHistory } from '../../../../contract/settings.ts';
import { repeatWhileAway } from '../../database/repeat-while-away.ts';
import { readChanges } from '../../queries/saved-settings.ts';
import { type ChangeSettingsRejection, changeSettings, type SettingsWorld } from '../../use-case/change-settings.ts';
import { answerProblem, invalidFields, type Problem } from '../problem.ts';
import { reauthenticationRequired } from '../proven.ts';
import type { Serve } from '../serve.ts';
import { requestedSettings } from './requested-settings.ts';
import { adminSettingsAnswer, fieldAnswer } from './settings-answer.ts';

export function serveSettings(serve: Serve, world: SettingsWorld): void {
  serve('GET /api/admin/settings', async (c) => answerSettings(c, await world.saved.refresh()));
  serve('POST /api/admin/settings', async (c, { by: session, body: asked }) => {
    const expectedVersion = versionOf(c.req.header('if-match')) ?? asked.version;
    if (expectedVersion === undefined) return answerProblem(c, versionRequired);
    const current = await world.saved.refresh();
    const settings = await requestedSettings(asked, current.settings);
    if (!settings.ok) return answerProblem(c, invalidFields(settings.rejection));
    const requestId = c.get('requestId');
    const changed = await changeSettings(world, session, {
      settings: settings.value,
      namesLimits: asked.refundLimits !== undefined,
      expectedVersion,
      requestId,
    });
    return changed.ok ? answerSettings(c, changed.value) : answerRefusal(c, changed.rejection);
  });
  serve('GET /api/admin/settings/history', async (_, { query, answer }) => {
    const { before } = query;
    return answer(200, await history(world, before));
  });
}

const versionRequired: Problem = {
  status: 428,
  code: 'VersionRequired',
  message: 'Say which version was changed, with the header If-Match.',
};

function answerSettings(c: Context, saved: VersionedSettings) {
  c.header('etag', `"${saved.version}"`);
  return c.json(adminSettingsAnswer(saved));
}

function versionOf(etag: string | undefined): number | undefined {
  const [, version] = /^(?:W\/)?"(\d{1,9})"$/.exec(etag ?? '') ?? [];
  return version === undefined ? undefined : Number(version);
}

function answerRefusal(c: Context, rejection: ChangeSettingsRejection) {
  if (rejection.code === 'ProofRequired') return answerProblem(c, reauthenticationRequired);
  if (rejection.code !== 'ChangedMeanwhile') return answerProblem(c, invalidFields(unacceptable(rejection)));
  const { theirs, change, conflicts } = rejection;
  const who = change === undefined ? 'Somebody' : change.by;
  return c.json<SettingsConflictAnswer>(
    {
      code: 'SettingsChanged',
      message: `${who} saved other settings meanwhile. Please look at the differences and save again.`,
      current: adminSettingsAnswer(theirs),
      changedBy: change?.by ?? null,
      changedAt: change?.at.toISOString() ?? null,
      differences: conflicts.map(({ path, base, yours, theirs: other }) => ({
        path,
        name: fieldName(path),
        base: fieldAnswer(path, base),
        yours: fieldAnswer(path, yours),
        theirs: fieldAnswer(path, other),
      })),
    },
    409,
  );
}

function unacceptable(
  rejection: UnacceptableSettings | Extract<ChangeSettingsRejection, { code: 'LimitsUnproven' }>,
): Readonly<Record<string, string>> {
  switch (rejection.code) {
    case 'AmountOutOfRange': {
      const { path, lowest, highest } = rejection;
      return { [path]: `Please enter an amount from ${formatDollars(lowest)} to ${formatDollars(highest)}` };
    }
    case 'TaxRateOutOfRange':
      return {
        [`salesTax.rates.${rejection.place}.percent`]: `A rate is from 0 to ${decimalPercent(rejection.highest)} percent`,
      };
    case 'TaxDaysNotRising':
      return { [`salesTax.rates.${rejection.place}.since`]: 'Another rate begins on this day or later' };
    case 'NoTaxRateToday':
      return {
        'salesTax.rates': `No rate holds today, ${formatDay(rejection.today)}. Please keep the rate that holds now.`,
      };
    case 'TooManyTaxRates':
      return { 'salesTax.rates': `${rejection.given} rates are more than ${rejection.most}` };
    case 'TooManySizePresets':
      return { sizePresets: `${rejection.given} sizes are more than ${rejection.most}` };
    case 'SizePresetOutOfRange':
      return { [`sizePresets.${rejection.place}`]: `A side has at most ${rejection.mostInches / 12} feet` };
    case 'RetentionOutOfRange':
      return { 'contactRetention.months': `Please enter whole months from ${rejection.fewest} to ${rejection.most}` };
    case 'LimitOutOfRange':
    case 'LimitsOutOfOrder':
      return { [`refundLimits.${rejection.role}.${rejection.limit}`]: limitSentences[rejection.code] };
    case 'LimitsUnproven':
      return { refundLimits: 'None of our servers wrote the last limits. Please save them on the page People first.' };
    default:
      return unreachable(rejection);
  }
}

const limitSentences = {
  LimitOutOfRange: 'Please enter an amount from 0.01 to 1,000,000 dollars',
  LimitsOutOfOrder: 'This must not be less than the limit before it',
};

const entriesPerPage = 50;

const afterAnyVersion = 2 ** 31 - 1;

async function history({ sql, saved }: SettingsWorld, before = afterAnyVersion): Promise<SettingsHistory> {
  // One more, because each is compared with its predecessor.
  const changes = await repeatWhileAway(() => readChanges(sql, { before, most: entriesPerPage + 1 }));
  const shown = changes.slice(0, entriesPerPage);
  const oldest = shown.at(-1);
  const builtIn = oldest?.version === 1 ? await saved.at(0) : undefined;
  return shown.map((change, index) => {
    const earlier = changes[index + 1]?.settings ?? builtIn?.settings;
    return {
      version: change.version,
      at: change.at.toISOString(),
      by: change.by,
      changes: earlier === undefined ? [] : [...describeChange(earlier, change.settings)],
    };
  });
}
