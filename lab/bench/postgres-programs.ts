import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

const run = promisify(execFile);
const image = 'postgres:18-alpine';

/**
 * Installed or from a local Docker image; undefined when there is neither.
 * @param folder mounted as `/bench` in Docker.
 */
export async function findPostgresProgram(
  program: 'pgbench' | 'psql',
  folder: string,
): Promise<readonly [string, ...string[]] | undefined> {
  if (await works(program, '--version')) return [program];
  if (!(await works('docker', 'image', 'inspect', image))) return undefined;
  return ['docker', 'run', '--rm', '--network', 'host', '-v', `${folder}:/bench:ro`, image, program];
}

function works(program: string, ...args: string[]): Promise<boolean> {
  return run(program, args).then(
    () => true,
    () => false,
  );
}
