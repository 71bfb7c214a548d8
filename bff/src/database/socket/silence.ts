/** Detects that the server stays silent after a request. */
export type Silence = {
  readonly asked: () => void;
  readonly heard: () => void;
  /** Undefined: no limit. */
  readonly allow: (milliseconds: number | undefined) => void;
  readonly forgetAllowance: () => void;
  /**
   * Whether nothing was received since the other request was sent, and no answer is expected here.
   */
  readonly isLongerThan: (other: Silence) => boolean;
  readonly askedAt: () => number | undefined;
  readonly end: () => void;
};

/** @param usualMs how long the server may be silent; undefined: no limit. */
export function createSilence(usualMs: number | undefined, onTooLong: () => void): Silence {
  let limitMs = usualMs;
  let isAllowed = false;
  /** When the first unanswered request was sent. */
  let askedAt: number | undefined;
  let heardAt = performance.now();
  let timer: NodeJS.Timeout | undefined;

  const watch = (milliseconds: number) => {
    timer = setTimeout(check, milliseconds).unref();
  };
  const setLimit = (milliseconds: number | undefined) => {
    limitMs = milliseconds;
    clearTimeout(timer);
    timer = undefined;
    if (askedAt !== undefined && limitMs !== undefined) watch(limitMs);
  };
  const check = () => {
    timer = undefined;
    if (askedAt === undefined || limitMs === undefined) return;
    const leftMs = askedAt + limitMs - performance.now();
    if (leftMs > 0) return watch(leftMs);
    const sameQuestion = askedAt;
    // After a long turn of the event loop, read what has already arrived first.
    setImmediate(() => (askedAt === sameQuestion ? onTooLong() : undefined));
  };
  return {
    asked: () => {
      if (askedAt !== undefined) return;
      askedAt = performance.now();
      if (timer === undefined && limitMs !== undefined) watch(limitMs);
    },
    heard: () => {
      askedAt = undefined;
      heardAt = performance.now();
    },
    allow: (milliseconds) => {
      setLimit(milliseconds);
      isAllowed = true;
    },
    forgetAllowance: () => {
      if (!isAllowed) return;
      setLimit(usualMs);
      isAllowed = false;
    },
    isLongerThan: (other) => !isAllowed && askedAt === undefined && heardAt < (other.askedAt() ?? 0),
    askedAt: () => askedAt,
    end: () => {
      askedAt = undefined;
      setLimit(undefined);
    },
  };
}
