import { createHash, randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { glob, mkdir, readdir, readFile, readlink, rename, rm, symlink } from 'node:fs/promises';
import { join, resolve } from 'node:path';

// Builds `build/frontend-<hash of the sources>`, unless it exists, and lets the link `build/frontend` name it. Running
// servers keep the folder that the link named when they started. With `--quick`, for `npm start`, files are compressed
// with less effort into a folder of another name.

const root = join(import.meta.dirname, '..');
const builds = join(root, 'build');
const link = join(builds, 'frontend');

const sources = [
  'package-lock.json',
  'frontend/{*.html,*.ts,package.json}',
  'frontend/{build-steps,public,src}/**',
  'domain/src/**',
  'bff/contract/**',
];
const isNoSource = (path: string) => /\.spec\.tsx?$/.test(path);

const complete = `frontend-${await hashSources()}`;
const isQuick = process.argv.includes('--quick') && !existsSync(join(builds, complete));
const name = isQuick ? `${complete}-quick` : complete;
await mkdir(builds, { recursive: true });
if (!existsSync(join(builds, name))) await build();
const previous = await readlink(link).catch(() => undefined);
if (previous !== name) await exchange();

async function hashSources(): Promise<string> {
  const paths: string[] = [];
  for await (const entry of glob(sources, { cwd: root, withFileTypes: true })) {
    if (entry.isFile()) paths.push(join(entry.parentPath, entry.name));
  }
  const hash = createHash('sha256');
  for (const path of paths.filter((path) => !isNoSource(path)).sort()) hash.update(path).update(await readFile(path));
  return hash.digest('hex').slice(0, 16);
}

async function build(): Promise<void> {
  const unfinished = join(builds, `unfinished-${randomUUID()}`);
  if (isQuick) process.env['KILIM_BUILD'] = 'quick';
  const vite = await import('vite');
  await vite.build({ root: import.meta.dirname, logLevel: 'warn', build: { outDir: unfinished } });
  // Another process may have built the same sources.
  await rename(unfinished, join(builds, name)).catch(async (error: unknown) => {
    await rm(unfinished, { recursive: true });
    if (!existsSync(join(builds, name))) throw error;
  });
}

/** A rename replaces the link in one step. The previous build is kept for servers that use it. */
async function exchange(): Promise<void> {
  const next = join(builds, `link-${randomUUID()}`);
  await symlink(name, next);
  await rename(next, link);
  const kept = [name, previous];
  const old = (await readdir(builds)).filter((entry) => entry.startsWith('frontend-') && !kept.includes(entry));
  await Promise.all(old.map((entry) => rm(resolve(builds, entry), { recursive: true, force: true })));
}
