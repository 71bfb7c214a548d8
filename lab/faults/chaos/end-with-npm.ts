const lookEveryMs = 250;

/**
 * Even after `kill -9` of npm: otherwise the campaign would continue unattended. Does nothing when npm did not start
 * the process.
 */
export function endWithNpm(): void {
  if (process.env['npm_lifecycle_event'] === undefined) return;
  // The npm script begins with `exec`, so there is no shell in between.
  const npm = process.ppid;
  setInterval(() => {
    if (process.ppid !== npm) process.exit(1);
  }, lookEveryMs).unref();
}
