type Surroundings = {
  /** Nearest first. Older versions of Firefox do not have it. */
  readonly ancestorOrigins: ArrayLike<string> | undefined;
  /** The page that contains the iframe, or our own previous page. */
  readonly referrer: string;
};

/**
 * The origin that the browser names, or empty if it is not allowed. Otherwise every allowed origin, which is safe
 * because `postMessage` delivers only to the target origin.
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
