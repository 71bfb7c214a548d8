/** A number, or a gap between shown pages. */
export type PageStep = number | 'gap-before' | 'gap-after';

/** First, last, and the current one with its neighbours (specification, section 2.5). */
export function pageSteps(current: number, last: number): readonly PageStep[] {
  const around = [current - 1, current, current + 1].filter((page) => page > 1 && page < last);
  const first = around.at(0) ?? last;
  const final = around.at(-1) ?? 1;
  return [
    1,
    ...(first > 2 && around.length > 0 ? ['gap-before' as const] : []),
    ...around,
    ...(final < last - 1 && around.length > 0 ? ['gap-after' as const] : []),
    ...(last > 1 ? [last] : []),
  ];
}
