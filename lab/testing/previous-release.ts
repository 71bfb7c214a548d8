import { execFile } from 'node:child_process';
import { mkdir, rm } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

export type Release = {
  readonly commit: string;
  /** As package.json has it: `1.0.0`. */
  readonly version: string;
};

const ownRepository = fileURLToPath(new URL('../..', import.meta.url));

/**
 * The newest tag `v1.2.3` of an earlier commit; without tags, the earlier commit that added the newest version in the
 * changelog.
 * @returns undefined without an older release or a git clone.
 * @throws Error with a sentence when the clone is too shallow to tell.
 */
export async function findPreviousRelease(repository = ownRepository): Promise<Release | undefined> {
  const git = gitIn(repository);
  if (!(await isClone(git))) return undefined;
  const commit = (await taggedBefore(git)) ?? (await changedBefore(git));
  if (commit === undefined) return undefined;
  return await releaseAt(git, commit);
}

export async function checkOut(
  { commit }: Release,
  { into, paths = [] }: { readonly into: string; readonly paths?: readonly string[] },
): Promise<void> {
  await mkdir(into, { recursive: true });
  const archive = `${into}.tar`;
  await gitIn(ownRepository)('archive', '--output', archive, commit, '--', ...paths);
  await promisify(execFile)('tar', ['-xf', archive, '-C', into]);
  await rm(archive);
}

type Git = (...args: readonly string[]) => Promise<string>;

function gitIn(repository: string): Git {
  return async (...args) => (await promisify(execFile)('git', ['-C', repository, ...args])).stdout.trim();
}

async function isClone(git: Git): Promise<boolean> {
  try {
    await git('rev-parse', '--git-dir');
    return true;
  } catch (error) {
    // Without `git`, or outside of a clone. Every other failure is a defect.
    if (/ENOENT|not a git repository/.test(String(error))) return false;
    throw error;
  }
}

async function taggedBefore(git: Git): Promise<string | undefined> {
  const earlier = ['--merged', 'HEAD', '--no-contains', 'HEAD', '--sort=-version:refname'];
  const tags = (await git('tag', ...earlier, '--list', 'v*')).split('\n');
  const newest = tags.find((tag) => /^v\d+\.\d+\.\d+$/.test(tag));
  return newest === undefined ? undefined : await git('rev-list', '--max-count=1', newest);
}

/** A shallow clone's oldest commit seems to add every file, so it tells nothing. */
async function changedBefore(git: Git): Promise<string | undefined> {
  const head = await git('rev-parse', 'HEAD');
  const changelog = await git('show', 'HEAD:CHANGELOG.md').catch(() => '');
  for (const [heading] of changelog.matchAll(/^## \[\d+\.\d+\.\d+\]/gm)) {
    const changes = await git('log', '--format=%H %P', '-S', heading, '--', 'CHANGELOG.md');
    const [commit = '', parent] = changes.split('\n').at(-1)?.split(' ') ?? [];
    if (!parent && (await git('rev-parse', '--is-shallow-repository')) === 'true') {
      throw new Error('This clone is too shallow to contain the previous release: run git fetch --unshallow --tags.');
    }
    if (commit !== head) return commit;
  }
  return undefined;
}

/** Undefined outside of a git clone. Until there is a release, upgrades begin here. */
export async function findOwnCommit(): Promise<Release | undefined> {
  const git = gitIn(ownRepository);
  return (await isClone(git)) ? await releaseAt(git, 'HEAD') : undefined;
}

async function releaseAt(git: Git, commit: string): Promise<Release> {
  const { version } = JSON.parse(await git('show', `${commit}:package.json`)) as { version: string };
  return { commit, version };
}
