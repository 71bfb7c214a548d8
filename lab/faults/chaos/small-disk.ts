import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { open, rm } from 'node:fs/promises';
import { join } from 'node:path';

export type SmallDisk = {
  readonly fill: () => Promise<void>;
  readonly empty: () => Promise<void>;
  readonly unmount: () => Promise<void>;
};

/** For the cluster and the write-ahead log of many runs. */
const size = '512m';

/**
 * In memory, on an empty directory; unmounted when this process ends, even after `kill -9`, by a shell that reads until
 * the end of its input.
 * @returns undefined when this process may not mount: only root on Linux may.
 */
export function mountSmallDisk(directory: string): SmallDisk | undefined {
  if (process.platform !== 'linux' || process.getuid?.() !== 0) return undefined;
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${size},mode=711`, 'tmpfs', directory], { stdio: 'ignore' });
  } catch {
    return undefined;
  }
  const guard = spawn('sh', ['-c', 'read -r _; umount --lazy "$1"', 'sh', directory], {
    detached: true,
    stdio: ['pipe', 'ignore', 'ignore'],
  });
  const filler = join(directory, 'filler');
  return {
    fill: () => writeUntilFull(filler),
    empty: () => rm(filler, { force: true }),
    unmount: async () => {
      const ended = once(guard, 'exit');
      guard.stdin.end();
      await ended;
    },
  };
}

async function writeUntilFull(path: string): Promise<void> {
  const file = await open(path, 'w');
  try {
    for (const bytes of [4_194_304, 4096]) await writeWhilePossible(() => file.write(Buffer.alloc(bytes)));
  } finally {
    await file.close();
  }
}

async function writeWhilePossible(write: () => Promise<unknown>): Promise<void> {
  try {
    for (;;) await write();
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'ENOSPC')) throw error;
  }
}
