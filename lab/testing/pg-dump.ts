import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import type { Copying } from './copy-database.ts';

const run = promisify(execFile);
const image = 'postgres:18-alpine';

/** As an operator does, into an empty database. */
export type DumpAndRestore = (copying: Pick<Copying, 'from' | 'to'>) => Promise<void>;

/** On this machine or in the Docker image: the embedded PostgreSQL has none. */
export async function findPgDump(): Promise<DumpAndRestore | undefined> {
  if (/ \(PostgreSQL\) (1[89]|[2-9]\d)/.test(await said('pg_dump', ['--version']))) {
    return async ({ from, to }) => {
      await run('sh', ['-c', script], { env: { ...process.env, FROM: from, TO: to } });
    };
  }
  const inImage = await said('docker', ['run', '--rm', '--pull', 'never', image, 'pg_dump', '--version']);
  if (!inImage.includes('PostgreSQL')) return undefined;
  return async ({ from, to }) => {
    const addresses = ['--env', `FROM=${from}`, '--env', `TO=${to}`];
    await run('docker', ['run', '--rm', '--network', 'host', ...addresses, image, 'sh', '-c', script]);
  };
}

/** The dump grants rights to the roles, so they must exist. The login of TO becomes the owner. */
const script = `
set -e
for role in kilim_report kilim_server kilim_verifier; do
  psql --quiet --dbname="$TO" --command="create role $role nologin"
done
pg_dump --format=custom --dbname="$FROM" | pg_restore --no-owner --exit-on-error --dbname="$TO"`;

/** @returns an empty text if the program is missing or fails. */
async function said(program: string, args: readonly string[]): Promise<string> {
  return await run(program, args).then(
    ({ stdout }) => stdout,
    () => '',
  );
}
