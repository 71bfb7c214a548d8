import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

const script = fileURLToPath(new URL('../../../frontend/build.ts', import.meta.url));

/**
 * With `--build`, a process of its own builds the front end. `npm start` loads this module first, so that the server
 * loads meanwhile. Rejected with a sentence for the operator; the build itself has said why.
 */
export const frontendBuilt: Promise<void> = process.argv.includes('--build') ? build() : Promise.resolve();

// The start may fail for another reason before it waits for the build.
frontendBuilt.catch(() => undefined);

async function build(): Promise<void> {
  const building = spawn(process.execPath, [script, '--quick'], { stdio: ['ignore', 'inherit', 'inherit'] });
  const [exitCode] = (await once(building, 'exit')) as [number | null];
  if (exitCode !== 0) throw new Error('The front end could not be built.');
}
