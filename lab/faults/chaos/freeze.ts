import { execFileSync, spawn } from 'node:child_process';

export type Thaw = () => void;

/**
 * Stops processes, as a paused virtual machine does. They continue when this process ends, even after `kill -9`: a
 * shell reads until the end of its input, and then continues them.
 */
export function freeze(pids: readonly number[]): Thaw {
  const continuing = 'read -r _; kill -CONT "$@"';
  const guard = spawn('sh', ['-c', continuing, 'sh', ...pids.map(String)], {
    detached: true,
    stdio: ['pipe', 'ignore', 'ignore'],
  });
  for (const pid of pids) signal(pid, 'SIGSTOP');
  return () => {
    // A guard that outlives its freeze would continue the processes during the next one.
    guard.kill('SIGKILL');
    for (const pid of pids) signal(pid, 'SIGCONT');
  };
}

/** The parent comes first, so that it starts no more children. */
export function freezeFamily(parent: number): Thaw {
  const thawParent = freeze([parent]);
  const thawChildren = freeze(childrenOf(parent));
  return () => {
    thawChildren();
    thawParent();
  };
}

export function childrenOf(parent: number): readonly number[] {
  const table = execFileSync('ps', ['-A', '-o', 'pid=,ppid='], { encoding: 'utf8' });
  return table.split('\n').flatMap((line) => {
    const [pid, ppid] = line.trim().split(/\s+/).map(Number);
    return ppid === parent && pid !== undefined ? [pid] : [];
  });
}

export function signal(pid: number, name: 'SIGSTOP' | 'SIGCONT' | 'SIGKILL'): void {
  try {
    process.kill(pid, name);
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'ESRCH')) throw error;
  }
}
