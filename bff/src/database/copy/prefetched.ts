import { setImmediate } from 'node:timers/promises';

/** The same parts, of which the next one is fetched while one is worked on, and not before that one is asked for. */
export async function* prefetched<Item>(parts: AsyncIterator<Item>): AsyncGenerator<Item, void> {
  const fetchNext = () => {
    const fetched = Promise.resolve(parts.next());
    // Whoever stops early hears of a failure no more.
    fetched.catch(() => undefined);
    return fetched;
  };
  let next = fetchNext();
  try {
    for (;;) {
      const part = await next;
      if (part.done === true) return;
      next = fetchNext();
      // What asks for the next part leaves at the end of this turn: without it the database would wait for as long as we work.
      await setImmediate();
      yield part.value;
    }
  } finally {
    // A part that is on its way has to arrive before the reading can be ended.
    await next.catch(() => undefined);
    await parts.return?.();
  }
}
