import { defaultSettings } from '../square/world.ts';

/** Of the whole suite. Specs expect less of such a Square only where it says less. */
export const { hostile: isHostile } = defaultSettings;

/** A hold whose answer is lost is voided when Square does not list it in time. */
export const endOfLost = isHostile ? /^(captured|voided)$/ : /^captured$/;

type Counts = { readonly payments: number; readonly refunds: number; readonly disputes: number };

/** A report also counts what a hostile local Square mixes into its lists. */
export function onlyOurs<Report extends Counts>(report: Report): Report {
  if (!isHostile) return report;
  const less = (count: number, foreign: number) => Math.max(0, count - foreign);
  const { payments, refunds, disputes } = report;
  return { ...report, payments: less(payments, 5), refunds: less(refunds, 2), disputes: less(disputes, 2) };
}
