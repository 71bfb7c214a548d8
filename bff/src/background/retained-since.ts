/** Contacts of orders whose last event is before this instant are due. */
export function retainedSince(now: Date, months: number): Date {
  const since = new Date(now);
  const day = since.getUTCDate();
  since.setUTCDate(1);
  since.setUTCMonth(since.getUTCMonth() - months);
  const lastDay = new Date(Date.UTC(since.getUTCFullYear(), since.getUTCMonth() + 1, 0)).getUTCDate();
  since.setUTCDate(Math.min(day, lastDay));
  return since;
}
