const lookEveryMs = 250;

/**
 * Ends this process when the npm that started it is gone, by `kill -9` too: it would go on for all its runs otherwise. The servers that it
 * started notice that themselves, and end. Started by hand, it belongs to nobody.
 */
export function endWithNpm(): void {
  if (process.env['npm_lifecycle_event'] === undefined) return;
  // It is npm itself, because its command says `exec`.
  const npm = process.ppid;
  setInterval(() => {
    if (process.ppid !== npm) process.exit(1);
  }, lookEveryMs).unref();
}
