/** `run` starts or resumes it and returns a function that pauses it. */
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
