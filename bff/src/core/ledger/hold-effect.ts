import type { Sql } from '../database/database.ts';
import type { Logger } from '../runtime/logger.ts';
import { beatEffect, type Fencing } from './effects.ts';

/** This process's ownership of an effect, until another process takes the effect over. */
export type Hold = Fencing & {
  /**
   * Whether this process may still ask Square to move money.
   * @throws when the database does not answer. Then Square must not be asked either.
   */
  readonly isHeld: () => Promise<boolean>;
};

const beatEveryMs = 1000;
/** After this the database is asked before Square. */
const trustedForMs = 2500;
/** An owner that takes longer is stuck, and stops its signs of life. */
const longestHoldMs = 90_000;

type HoldWorld = { readonly sql: Sql; readonly log: Logger };

/** Absent: the ownership is certain now. */
type Owned = Fencing & { readonly sinceConfirmed?: Stopwatch };

/**
 * A sign of life each second keeps other processes from the effect.
 * @param owned the ownership from an append that opened the effect, or from taking it over.
 */
export async function whileHolding<Answer>(
  { sql, log }: HoldWorld,
  { sinceConfirmed: sinceOpened = stopwatch(), ...fencing }: Owned,
  work: (hold: Hold) => Promise<Answer>,
): Promise<Answer> {
  const sinceBegin = stopwatch();
  let sinceConfirmed = sinceOpened;
  let isLost = false;
  const beat = async () => {
    const asked = stopwatch();
    if (await beatEffect(sql, fencing)) sinceConfirmed = asked;
    else isLost = true;
  };
  let isBeating = false;
  const timer = setInterval(() => {
    if (isLost || isBeating || sinceBegin() > longestHoldMs) return;
    isBeating = true;
    beat()
      .catch((error: unknown) => log.debug({ err: error, effect: fencing.key }, 'a sign of life was not recorded'))
      .finally(() => (isBeating = false));
  }, beatEveryMs);
  timer.unref();
  try {
    return await work({
      ...fencing,
      isHeld: async () => {
        if (!isLost && sinceConfirmed() > trustedForMs) await beat();
        return !isLost;
      },
    });
  } finally {
    clearInterval(timer);
  }
}

type Stopwatch = () => number;

/**
 * Milliseconds since its start. The monotonic clock stands still while a machine is suspended, and
 * the wall clock may be set back, so the larger of both counts.
 */
export function stopwatch(): Stopwatch {
  const begun = { monotonic: performance.now(), wall: Date.now() };
  return () => Math.max(performance.now() - begun.monotonic, Date.now() - begun.wall);
}
