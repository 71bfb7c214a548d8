export type Silence = {
  readonly sent: () => void;
  readonly received: () => void;
  /** Undefined: no limit. */
  readonly allow: (milliseconds: number | undefined) => void;
  readonly forgetAllowance: () => void;
  /** Nothing came since the other request was sent, and no answer is expected here. */
  readonly isLongerThan: (other: Silence) => boolean;
  readonly sentAt: () => number | undefined;
  readonly end: () => void;
};

/** @param usualMs undefined: no limit. */
export function createSilence(usualMs: number | undefined, onTooLong: () => void): Silence {
  let limitMs = usualMs;
  let isAllowed = false;
  let sentAt: number | undefined;
  let receivedAt = performance.now();
  let timer: NodeJS.Timeout | undefined;

  const watch = (milliseconds: number) => {
    timer = setTimeout(check, milliseconds).unref();
  };
  const setLimit = (milliseconds: number | undefined) => {
    limitMs = milliseconds;
    clearTimeout(timer);
    timer = undefined;
    if (sentAt !== undefined && limitMs !== undefined) watch(limitMs);
  };
  const check = () => {
    timer = undefined;
    if (sentAt === undefined || limitMs === undefined) return;
    const leftMs = sentAt + limitMs - performance.now();
    if (leftMs > 0) return watch(leftMs);
    const sameRequestAt = sentAt;
    // After a long turn of the event loop, read what has already arrived first.
    setImmediate(() => (sentAt === sameRequestAt ? onTooLong() : undefined));
  };
  return {
    sent: () => {
      if (sentAt !== undefined) return;
      sentAt = performance.now();
      if (timer === undefined && limitMs !== undefined) watch(limitMs);
    },
    received: () => {
      sentAt = undefined;
      receivedAt = performance.now();
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
    isLongerThan: (other) => !isAllowed && sentAt === undefined && receivedAt < (other.sentAt() ?? 0),
    sentAt: () => sentAt,
    end: () => {
      sentAt = undefined;
      setLimit(undefined);
    },
  };
}
