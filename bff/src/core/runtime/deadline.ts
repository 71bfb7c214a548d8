import { setTimeout } from 'node:timers/promises';

export const tooLate = 'TOO_LATE';

/**
 * The work itself is not stopped.
 * @throws what the answer throws, or what `lateError` returns: an error with the code `TOO_LATE`.
 */
export async function withinMs<Answer>(
  ms: number,
  answer: PromiseLike<Answer>,
  lateError: () => Error = () => Object.assign(new Error(`No answer came within ${ms} ms.`), { code: tooLate }),
): Promise<Answer> {
  const timer = new AbortController();
  const late = async (): Promise<never> => {
    await setTimeout(ms, undefined, { signal: timer.signal });
    throw lateError();
  };
  try {
    return await Promise.race([answer, late()]);
  } finally {
    timer.abort();
  }
}
