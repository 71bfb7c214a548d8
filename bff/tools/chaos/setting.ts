import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { findPreviousRelease } from '../../testing/previous-release.ts';
import { checkOutServer } from '../upgrade/release-checkout.ts';
import { type OwnDatabase, openOwnDatabase } from './own-database.ts';
import { openPairedDatabase } from './paired-database.ts';

/**
 * The parts of a shop in which disasters happen. `standby`: the database has a synchronous standby,
 * to which servers move. `previous release`: the first servers are of the release before this one.
 */
export type Setting = 'plain' | 'standby' | 'previous release';

export type OpenedSetting = {
  readonly database: OwnDatabase;
  /** The folder of the first servers' release. Absent: this one. */
  readonly firstRoot: string | undefined;
  readonly close: () => Promise<void>;
};

export async function openSetting(setting: Setting): Promise<OpenedSetting> {
  const database = await (setting === 'standby' ? openPairedDatabase() : openOwnDatabase());
  const previous = setting === 'previous release' ? await openPreviousRelease() : undefined;
  return {
    database,
    firstRoot: previous?.root,
    close: async () => {
      await database.close();
      await previous?.remove();
    },
  };
}

/** @returns undefined before the first release. */
async function openPreviousRelease() {
  const release = await findPreviousRelease();
  if (release === undefined) return undefined;
  const folder = await mkdtemp(join(tmpdir(), 'kilim-chaos-'));
  const root = join(folder, 'previous');
  await checkOutServer(release, root);
  return { root, remove: () => rm(folder, { recursive: true, force: true }) };
}
