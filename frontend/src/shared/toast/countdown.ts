/**
 * A countdown that can be paused. The returned `run` starts or resumes it and returns a function
 * that pauses it. `end` is called when the time has run out.
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
