const lookEveryMs = 250;

/**
 * Ends this process when the npm that started it is gone, even after `kill -9`. Otherwise the campaign would continue
 * unattended. The servers that it started end by the same rule. Does nothing when the process was not started by npm.
 */
export function endWithNpm(): void {
  if (process.env['npm_lifecycle_event'] === undefined) return;
  // The parent is npm itself, without a shell in between: the npm script begins with `exec`.
  const npm = process.ppid;
  setInterval(() => {
    if (process.ppid !== npm) process.exit(1);
  }, lookEveryMs).unref();
}
