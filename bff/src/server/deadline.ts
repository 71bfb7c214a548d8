import { setTimeout } from 'node:timers/promises';

/** The code of the error of an answer that did not come in time. */
export const tooLate = 'TOO_LATE';

/**
 * Waits for an answer only so long. Whoever was asked is not stopped, and an answer that comes later is lost.
 * @throws Error with the code `TOO_LATE`, or what the answer throws.
 */
export async function withinMs<Answer>(ms: number, answer: Promise<Answer>): Promise<Answer> {
  const impatience = new AbortController();
  const late = async (): Promise<never> => {
    await setTimeout(ms, undefined, { signal: impatience.signal });
    throw Object.assign(new Error(`No answer came within ${ms} ms.`), { code: tooLate });
  };
  try {
    return await Promise.race([answer, late()]);
  } finally {
    impatience.abort();
  }
}
