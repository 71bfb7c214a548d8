import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path/posix';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { z } from 'zod';

const lockFile = fileURLToPath(new URL('../../package-lock.json', import.meta.url));
const { packages } = z
  .object({
    packages: z.record(
      z.string(),
      z.object({
        version: z.string().optional(),
        integrity: z.string().optional(),
        license: z.string().optional(),
        link: z.literal(true).optional(),
        dev: z.literal(true).optional(),
        optionalDependencies: z.record(z.string(), z.string()).default({}),
      }),
    ),
  })
  .parse(JSON.parse(readFileSync(lockFile, 'utf8')));
const installed = Object.entries(packages).filter(([path, { link }]) => path.includes('node_modules/') && !link);

/** They let a company run and distribute the product. A new one needs a person's decision. */
const allowedLicences = new Set([
  '0BSD',
  'Apache-2.0',
  'BlueOak-1.0.0',
  'BSD-2-Clause',
  'BSD-3-Clause',
  'ISC',
  'MIT',
  'MIT-0',
  '(MIT OR Apache-2.0)',
  // Copyleft per file: only changed files of these packages would have to be published.
  'MPL-2.0',
  'MPL 2.0',
  'Unlicense',
  // libvips of sharp is linked dynamically and may be replaced.
  'LGPL-3.0-or-later',
]);

function pathsWhere(isWrong: (entry: (typeof installed)[number]) => boolean): readonly string[] {
  return installed.filter(isWrong).map(([path]) => path);
}

/** Node looks in the dependent's folder, then in each folder above. */
function isLocked(name: string, folder: string): boolean {
  if (packages[join(folder, 'node_modules', name)] !== undefined) return true;
  return folder !== '.' && isLocked(name, dirname(folder));
}

test('the lock file holds the packages', () => {
  expect(installed.length).toBeGreaterThan(500);
});

test('every entry of the lock file has the hash of its package', () => {
  expect(pathsWhere(([, { integrity }]) => !integrity?.startsWith('sha512-'))).toEqual([]);
});

test('the packages of all platforms are locked, so that npm ci works on each of them', () => {
  const missing = installed.flatMap(([path, { optionalDependencies }]) =>
    Object.keys(optionalDependencies)
      .filter((name) => !isLocked(name, path))
      .map((name) => `${path} ${name}`),
  );
  expect(missing).toEqual([]);
});

test('every package of the product has an allowed licence', () => {
  const refused = installed
    .filter(([, { dev }]) => !dev)
    .filter(([, { license = 'none' }]) => !license.split(' AND ').every((each) => allowedLicences.has(each)))
    .map(([path, { license }]) => `${path}: ${license}`);
  expect(refused).toEqual([]);
});
