import { chmod, chown, cp, mkdir, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { findBinaries } from './binaries.ts';
import { ensureCluster } from './cluster.ts';
import { chooseServerUser } from './server-user.ts';

test('libraries that the install script did not link are named, and what to type', async () => {
  const place = await mkdtemp(join(tmpdir(), 'kilim-unlinked-'));
  try {
    const { postgres } = findBinaries();
    const program = join(place, 'bin', 'postgres');
    await mkdir(dirname(program));
    await cp(postgres, program);
    const chosen = chooseServerUser({ program, directory: place });
    await expect(chosen).rejects.toThrow(
      /install script of its package did not run: npm rebuild --ignore-scripts=false/,
    );
  } finally {
    await rm(place, { recursive: true, force: true });
  }
});

test('PostgreSQL runs from a folder that only the current user may enter, like the home of root', async () => {
  const home = await mkdtemp(join(tmpdir(), 'kilim-home-'));
  try {
    const { initdb } = findBinaries();
    const native = join(home, 'native');
    await cp(join(dirname(initdb), '..'), native, { recursive: true });
    const binaries = { initdb: join(native, 'bin', 'initdb'), postgres: join(native, 'bin', 'postgres') };
    const data = join(home, 'data');
    await mkdir(data);
    await chmod(home, 0o700);
    const user = await chooseServerUser({ program: binaries.postgres, directory: data });
    if (user.owner !== undefined) await chown(data, user.owner.uid, user.owner.gid);
    const cluster = join(data, 'postgres');
    await ensureCluster({ cluster, user, binaries });
    expect(await readFile(join(cluster, 'PG_VERSION'), 'utf8')).toBe('18\n');
  } finally {
    await rm(home, { recursive: true, force: true });
  }
});
