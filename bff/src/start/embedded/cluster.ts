import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { chown, mkdtemp, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { codeOf } from '../../core/runtime/diagnosis.ts';
import type { Binaries } from './binaries.ts';
import { serverEnvironment } from './server-process.ts';
import { commandLine, type ServerUser } from './server-user.ts';

const run = promisify(execFile);

export const superuser = 'postgres';

/** Data files of another major version cannot be used. */
const majorVersion = '18';
export const passwordFile = 'kilim-password';

type Place = { readonly cluster: string; readonly user: ServerUser; readonly binaries: Binaries };

export async function ensureCluster(place: Place): Promise<void> {
  const isDirectory = await stat(place.cluster).then(
    (found) => found.isDirectory(),
    () => true,
  );
  if (!isDirectory) {
    throw new Error(`${place.cluster} is a file, not a directory: move it away, or set DATA_DIR to another directory.`);
  }
  const version = await readFile(join(place.cluster, 'PG_VERSION'), 'utf8').catch(() => undefined);
  if (version === undefined) return await createCluster(place);
  if (version.trim() !== majorVersion) {
    throw new Error(
      `${place.cluster} was made by PostgreSQL ${version.trim()}, and this is ${majorVersion}: set DATA_DIR to another directory.`,
    );
  }
}

/**
 * Only the server's user can read the file.
 * @throws Error with a sentence for the operator when the file cannot be read.
 */
export async function readPassword(cluster: string): Promise<string> {
  const file = join(cluster, passwordFile);
  try {
    return (await readFile(file, 'utf8')).trim();
  } catch (error) {
    throw new Error(
      `${file} cannot be read (${codeOf(error)}): restore it from a copy, or set DATA_DIR to another directory. It holds the password of the embedded database.`,
      { cause: error },
    );
  }
}

/** A draft folder is renamed, so a killed start leaves no partial cluster. */
async function createCluster({ cluster, user, binaries }: Place): Promise<void> {
  await removeDrafts(cluster);
  // A unique name: when a leftover `initdb` fails, it deletes its own folder.
  const draft = await mkdtemp(`${cluster}.new-`);
  const draftPassword = `${draft}-password`;
  await writeFile(draftPassword, randomBytes(24).toString('base64url'), { mode: 0o600 });
  if (user.owner !== undefined) {
    await Promise.all([draft, draftPassword].map((path) => chown(path, user.owner?.uid ?? 0, user.owner?.gid ?? 0)));
  }
  const files = [`--pgdata=${draft}`, `--pwfile=${draftPassword}`];
  const access = [`--username=${superuser}`, '--auth=scram-sha-256'];
  // The builtin collation gives the same order on every machine.
  const text = ['--encoding=UTF8', '--locale=C', '--locale-provider=builtin', '--builtin-locale=C.UTF-8'];
  const quick = ['--no-sync', '--no-instructions'];
  const [command, args] = commandLine(user, [binaries.initdb, ...files, ...access, ...text, ...quick]);
  await run(command, args, {
    ...user.identity,
    cwd: '/',
    env: serverEnvironment(),
  }).catch((error: unknown) => {
    const said = error instanceof Error && 'stderr' in error ? String(error.stderr) : String(error);
    throw new Error(`The embedded PostgreSQL could not make its files in ${cluster}: ${said.trim()}`);
  });
  await rename(draftPassword, join(draft, passwordFile));
  await rename(draft, cluster);
}

async function removeDrafts(cluster: string): Promise<void> {
  for (const name of await readdir(dirname(cluster))) {
    if (!name.startsWith(`${basename(cluster)}.new-`)) continue;
    await rm(join(dirname(cluster), name), { recursive: true, force: true, maxRetries: 10 });
  }
}
