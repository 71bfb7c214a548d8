import { execFile } from 'node:child_process';
import { mkdir, readdir, readFile, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { checkOut, type Release } from '../../testing/previous-release.ts';

export const ownRoot = fileURLToPath(new URL('../../..', import.meta.url));

/**
 * The same packages are linked from this checkout, others installed. The pages are linked, because the server does not
 * start without pages and this test opens none.
 */
export async function checkOutServer(release: Release, into: string): Promise<void> {
  await checkOut(release, { into });
  await mkdir(join(into, 'build'));
  await symlink(join(ownRoot, 'build/frontend'), join(into, 'build/frontend'));
  if (await hasSamePackages(into)) await linkPackages(into);
  else
    await promisify(execFile)('npm', ['ci', '--omit=dev', '--ignore-scripts', '--no-audit', '--no-fund'], {
      cwd: into,
    });
}

type Lock = { readonly packages: Readonly<Record<string, Locked>> };
type Locked = { readonly version?: string; readonly dev?: boolean; readonly link?: boolean };

async function hasSamePackages(into: string): Promise<boolean> {
  const [theirs, ours] = await Promise.all([into, ownRoot].map(readLock));
  return Object.entries(theirs?.packages ?? {})
    .filter(([path, { dev, link }]) => path.startsWith('node_modules/') && dev !== true && link !== true)
    .every(([path, { version }]) => ours?.packages[path]?.version === version);
}

async function readLock(root: string): Promise<Lock> {
  return JSON.parse(await readFile(join(root, 'package-lock.json'), 'utf8')) as Lock;
}

/** One link to the whole folder would lead `@kilim/domain` to the workspaces of this checkout. */
async function linkPackages(into: string): Promise<void> {
  const packages = join(into, 'node_modules');
  await mkdir(join(packages, '@kilim'), { recursive: true });
  for (const workspace of ['bff', 'domain']) {
    await symlink(join(into, workspace), join(packages, '@kilim', workspace));
  }
  for (const name of await readdir(join(ownRoot, 'node_modules'))) {
    if (name.startsWith('.') || name === '@kilim') continue;
    await symlink(join(ownRoot, 'node_modules', name), join(packages, name));
  }
}
