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
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(lateError()), ms);
  });
  try {
    return await Promise.race([answer, late]);
  } finally {
    clearTimeout(timer);
  }
}
