/**
 * A time that runs down only while it is let: `run` lets it, and returns what holds it. What is left is kept in between.
 * `end` is called once it has run out.
 */
export function countdown(milliseconds: number, end: () => void): () => () => void {
  let left = milliseconds;
  return function run() {
    const startedAt = Date.now();
    const timer = setTimeout(end, left);
    return () => {
      clearTimeout(timer);
      left -= Date.now() - startedAt;
    };
  };
}
