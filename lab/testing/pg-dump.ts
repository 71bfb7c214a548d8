import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import type { Copying } from './copy-database.ts';

const run = promisify(execFile);
/** The image that Docker has as postgres:18-alpine may lack pg_dump. */
const image = process.env['POSTGRES_IMAGE'] || 'postgres:18-alpine';
const scripts = fileURLToPath(new URL('../../deploy/backup', import.meta.url));

/** With the scripts of an installation, into an empty database. */
export type DumpAndRestore = (copying: Pick<Copying, 'from' | 'to'>) => Promise<void>;

/** On this machine or in the Docker image: the embedded PostgreSQL has none. */
export async function findPgDump(): Promise<DumpAndRestore | undefined> {
  if (/ \(PostgreSQL\) (1[89]|[2-9]\d)/.test(await said('pg_dump', ['--version']))) {
    return async (copying) => void (await run('sh', ['-c', scriptOf(copying, scripts)]));
  }
  const inImage = await said('docker', ['run', '--rm', '--pull', 'never', image, 'pg_dump', '--version']);
  if (!inImage.includes('PostgreSQL')) return undefined;
  const inDocker = ['run', '--rm', '--network', 'host', '--volume', `${scripts}:/kilim:ro`, image, 'sh', '-c'];
  return async (copying) => void (await run('docker', [...inDocker, scriptOf(copying, '/kilim')]));
}

/** The login of `to` becomes the owner. */
function scriptOf({ from, to }: Pick<Copying, 'from' | 'to'>, folder: string): string {
  return `
set -e
dumps=$(mktemp -d)
trap 'rm -rf "$dumps"' EXIT
${variablesOf(from)} sh '${folder}/backup.sh' "$dumps"
${variablesOf(to)} sh '${folder}/restore.sh' "$dumps"`;
}

function variablesOf(url: string): string {
  const { hostname, port, username, password, pathname } = new URL(url);
  const variables = { HOST: hostname, PORT: port, USER: username, PASSWORD: password, DATABASE: pathname.slice(1) };
  return Object.entries(variables)
    .map(([name, value]) => `PG${name}='${decodeURIComponent(value)}'`)
    .join(' ');
}

/** @returns an empty text if the program is missing or fails. */
async function said(program: string, args: readonly string[]): Promise<string> {
  return await run(program, args).then(
    ({ stdout }) => stdout,
    () => '',
  );
}
