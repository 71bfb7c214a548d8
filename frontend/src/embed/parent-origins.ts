type Surroundings = {
  /** `location.ancestorOrigins`, nearest first; Firefox has learned it only lately. */
  readonly ancestorOrigins: ArrayLike<string> | undefined;
  /** `document.referrer`: the page that made the frame, or our own page before this one. */
  readonly referrer: string;
};

/**
 * The origins that the page around us may have: one where the browser tells, none when that one is not allowed, and every
 * allowed one where it tells nothing. A message reaches only a page of exactly the origin it is posted to.
 */
export function parentOriginsAmong(
  allowed: readonly string[],
  { ancestorOrigins, referrer }: Surroundings,
): readonly string[] {
  const nearest = ancestorOrigins?.[0];
  if (nearest !== undefined) return allowed.filter((origin) => origin === nearest);
  const referring = URL.canParse(referrer) ? new URL(referrer).origin : undefined;
  return referring !== undefined && allowed.includes(referring) ? [referring] : allowed;
}
