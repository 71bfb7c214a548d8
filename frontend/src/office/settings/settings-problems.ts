import { parseDay, weekdays } from '@kilim/domain/day';
import { parseDollars } from '@kilim/domain/money';
import { parsePercent } from '@kilim/domain/percent';
import { notZipCode, zipCodeServed } from '@kilim/domain/pickup-plan';
import { amountFields, settingsLimits as limits } from '@kilim/domain/settings/settings';
import { isOrderable } from '@kilim/domain/size-presets';
import { oneLine } from '@kilim/domain/text';
import type { SettingsDraft } from './settings-draft.ts';
import {
  closedDaysIn,
  closedDaysPath,
  countIn,
  linesIn,
  mostPerDayPath,
  presetIn,
  presetsPath,
  taxRatesPath,
  windowsPath,
  windowsPathOf,
  withoutSigns,
  zipCodesIn,
  zipCodesPath,
} from './settings-fields.ts';
import { settingsTexts as texts } from './texts.ts';

export type Problems = Readonly<Record<string, string>>;

/**
 * Those that the page can find, by path.
 * @param today in the shop.
 */
export function problemsOf(draft: SettingsDraft, today: string): Problems {
  return { ...amountProblems(draft), ...taxProblems(draft, today), ...presetProblems(draft), ...pickupProblems(draft) };
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

function pickupProblems({ texts: typed }: SettingsDraft): Problems {
  const textAt = (path: string) => typed[path] ?? '';
  const wrongCode = zipCodesIn(textAt(zipCodesPath)).find((code) => !zipCodeServed.test(code));
  const wrongLine = linesIn(textAt(closedDaysPath)).find((line) => {
    const days = closedDaysIn(line);
    return days === undefined || days.from > days.to;
  });
  const most = textAt(mostPerDayPath).trim();
  const count = countIn(most) ?? 0;
  const isMost = count >= 1 && count <= limits.mostPickupsPerDay;
  return {
    ...(wrongCode === undefined ? {} : { [zipCodesPath]: notZipCode(wrongCode) }),
    ...(weekdays.every((day) => textAt(windowsPathOf(day)) === '') ? { [windowsPath]: texts.noPickupDay } : {}),
    ...(most === '' || isMost ? {} : { [mostPerDayPath]: texts.pickupsProblem(limits.mostPickupsPerDay) }),
    ...(wrongLine === undefined ? {} : { [closedDaysPath]: texts.closedDayProblem(wrongLine) }),
  };
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
