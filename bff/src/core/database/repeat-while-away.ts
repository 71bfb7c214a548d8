import { setTimeout } from 'node:timers/promises';
import { withinMs } from '../runtime/deadline.ts';
import type { Sql } from './database.ts';
import { isConnectTimeout, isDatabaseAway } from './failures.ts';

const giveUpAfterMs = 4000;

/**
 * At most 4 seconds. postgres.js has no deadline for replacing a broken connection.
 * Only for work that may be done twice or late: reads, and appends, which have a command id and an expected version.
 */
export async function repeatWhileAway<Answer>(attempt: () => Promise<Answer>): Promise<Answer> {
  const deadline = performance.now() + giveUpAfterMs;
  const msLeft = () => Math.max(0, deadline - performance.now());
  for (let pauseMs = 20; ; pauseMs *= 3) {
    try {
      return await withinMs(msLeft(), attempt(), noAnswerError);
    } catch (error) {
      if (!isDatabaseAway(error) || pauseMs > msLeft()) throw error;
      await setTimeout(pauseMs);
    }
  }
}

const triesToConnect = 5;

/**
 * Loading modules blocks the event loop: on a busy machine a process reads PostgreSQL's answer only after the deadline.
 */
export async function whenConnected<Answer>(read: () => Promise<Answer>, tries = triesToConnect): Promise<Answer> {
  return await read().catch((error: unknown) => {
    if (tries <= 1 || !isConnectTimeout(error)) throw error;
    return whenConnected(read, tries - 1);
  });
}

/** Waits like `repeatWhileAway`, for work that must not be done twice. A sent statement may still be executed later. */
export function inTime<Answer>(work: Promise<Answer>): Promise<Answer> {
  return withinMs(giveUpAfterMs, work, noAnswerError);
}

/** Never throws, and never takes longer. */
export async function isReachable(sql: Sql, timeoutMs: number): Promise<boolean> {
  try {
    await withinMs(timeoutMs, sql`select 1`);
    return true;
  } catch {
    return false;
  }
}

function noAnswerError(): Error {
  return Object.assign(new Error('The database did not answer in time.'), { code: 'CONNECT_TIMEOUT' });
}
