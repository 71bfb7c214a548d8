import { setImmediate } from 'node:timers/promises';

/** Fetches the next item while the caller works on the current one. */
export async function* prefetched<Item>(parts: AsyncIterator<Item>): AsyncGenerator<Item, void> {
  const fetchNext = () => {
    const fetched = Promise.resolve(parts.next());
    // A caller that stops early does not see this error.
    fetched.catch(() => undefined);
    return fetched;
  };
  let next = fetchNext();
  try {
    for (;;) {
      const part = await next;
      if (part.done === true) return;
      next = fetchNext();
      // The request leaves at the end of this turn. Without the pause the database would idle.
      await setImmediate();
      yield part.value;
    }
  } finally {
    // The pending item must arrive before the reader can be closed.
    await next.catch(() => undefined);
    await parts.return?.();
  }
}
