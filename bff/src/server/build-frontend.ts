import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

const script = fileURLToPath(new URL('../../../frontend/build.ts', import.meta.url));

/**
 * With `--build`, as `npm start` says, builds the front end if its sources have changed. The build is
 * a process of its own, so that the database can start at the same time.
 * @returns a promise that is rejected with a sentence for the operator. The build itself has said why.
 */
export function buildIfTold(argv: readonly string[]): Promise<void> {
  const built = argv.includes('--build') ? build() : Promise.resolve();
  // The start may fail for another reason before it waits for the build.
  built.catch(() => undefined);
  return built;
}

async function build(): Promise<void> {
  const building = spawn(process.execPath, [script], { stdio: ['ignore', 'inherit', 'inherit'] });
  const [exitCode] = (await once(building, 'exit')) as [number | null];
  if (exitCode !== 0) throw new Error('The front end could not be built.');
}
