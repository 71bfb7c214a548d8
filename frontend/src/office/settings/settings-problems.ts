import { parseDay } from '@kilim/domain/day';
import { parseDollars } from '@kilim/domain/money';
import { parsePercent } from '@kilim/domain/percent';
import { amountFields, settingsLimits as limits } from '@kilim/domain/settings/settings';
import { isOrderable } from '@kilim/domain/size-presets';
import { oneLine } from '@kilim/domain/text';
import type { SettingsDraft } from './settings-draft.ts';
import { linesIn, presetIn, presetsPath, taxRatesPath, withoutSigns } from './settings-fields.ts';
import { settingsTexts as texts } from './texts.ts';

export type Problems = Readonly<Record<string, string>>;

/**
 * Those that the page can find, by path.
 * @param today in the shop.
 */
export function problemsOf(draft: SettingsDraft, today: string): Problems {
  return { ...amountProblems(draft), ...taxProblems(draft, today), ...presetProblems(draft) };
}

function amountProblems({ texts: typed }: SettingsDraft): Problems {
  const wrong = amountFields.filter(({ path, lowest, highest }) => {
    const amount = parseDollars(withoutSigns(typed[path] ?? ''));
    return amount === undefined || amount < lowest || amount > highest;
  });
  return Object.fromEntries(wrong.map(({ path, lowest, highest }) => [path, texts.amountProblem(lowest, highest)]));
}

function taxProblems({ taxRates }: SettingsDraft, today: string): Problems {
  if (taxRates.length === 0) return { [taxRatesPath]: texts.noTaxRate };
  const problems: Record<string, string> = {};
  for (const [place, { percent, since }] of taxRates.entries()) {
    const rate = parsePercent(oneLine(percent));
    if (rate === undefined || rate > limits.highestTaxRate) {
      problems[`${taxRatesPath}.${place}.percent`] = texts.percentProblem(limits.highestTaxRate);
    }
    const isRepeated = taxRates.findIndex((other) => other.since === since) < place;
    if (parseDay(since) === undefined) problems[`${taxRatesPath}.${place}.since`] = texts.dayProblem;
    else if (isRepeated) problems[`${taxRatesPath}.${place}.since`] = texts.dayRepeated;
  }
  const hasRateToday = taxRates.some(({ since }) => parseDay(since) !== undefined && since <= today);
  if (Object.keys(problems).length === 0 && !hasRateToday) problems[taxRatesPath] = texts.noTaxRateToday;
  return problems;
}

function presetProblems({ texts: typed }: SettingsDraft): Problems {
  const lines = linesIn(typed[presetsPath] ?? '');
  if (lines.length > limits.mostSizePresets) return { [presetsPath]: texts.tooManyPresets(limits.mostSizePresets) };
  const wrong = lines.find((line) => {
    const preset = presetIn(line);
    return preset === undefined || !isOrderable(preset);
  });
  return wrong === undefined ? {} : { [presetsPath]: texts.presetProblem(wrong) };
}
