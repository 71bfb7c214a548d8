import { execFile } from 'node:child_process';
import { userInfo } from 'node:os';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** How a program of PostgreSQL is started: it refuses to run as root. */
export type ServerUser = {
  /** Who must own the data directory. Absent: whoever runs us. */
  readonly owner?: { readonly uid: number; readonly gid: number };
  /** Options for `spawn` that change the user. */
  readonly identity: { readonly uid?: number; readonly gid?: number };
  /** What comes before the program on its command line. */
  readonly prefix: readonly string[];
};

/**
 * Chooses the user for the server: ourselves, or, when we are root, an unprivileged user that every system has.
 *
 * Root's projects often lie where that user cannot go (`/root`). Then it keeps one right of root's, to pass through such
 * directories, rather than that we open somebody's home or move the data elsewhere.
 */
export async function chooseServerUser(paths: {
  readonly program: string;
  readonly directory: string;
}): Promise<ServerUser> {
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

/** The program to start, and its arguments, for what the user shall run. */
export function commandLine(
  { prefix }: ServerUser,
  [program, ...args]: readonly [string, ...string[]],
): [string, string[]] {
  const [first, ...rest] = prefix;
  return first === undefined ? [program, args] : [first, [...rest, program, ...args]];
}

function passThroughDirectories({ uid, gid }: { readonly uid: number; readonly gid: number }): readonly string[] {
  const user = [`--reuid=${uid}`, `--regid=${gid}`, '--clear-groups'];
  return ['setpriv', ...user, '--inh-caps=+dac_override', '--ambient-caps=+dac_override'];
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
