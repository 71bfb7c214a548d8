import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { migrate } from '../../../bff/src/core/database/migrate.ts';
import { prepareLogin } from '../../../bff/src/core/database/prepare-login.ts';
import { documentedSettings, findPgBouncers, startPgBouncer } from '../../testing/pgbouncer.ts';
import { findPreviousRelease } from '../../testing/previous-release.ts';
import { openPair } from '../failover/pair.ts';
import { checkOutServer } from '../upgrade/release-checkout.ts';
import { type OwnDatabase, openOwnDatabase, type Shape } from './own-database.ts';

/**
 * `pooler`: PgBouncer gives each transaction any of its sessions. `standby`: servers move to a synchronous standby.
 * `previous release`: the first servers are of the release before.
 */
export type Setting = 'plain' | 'pooler' | 'standby' | 'previous release';

export type OpenedSetting = {
  readonly database: OwnDatabase;
  readonly serversUrl: string;
  readonly shape: Shape | undefined;
  /** The folder of the first servers' release. Absent: this one. */
  readonly firstRoot: string | undefined;
  readonly close: () => Promise<void>;
};

export async function openSetting(setting: Setting): Promise<OpenedSetting> {
  const database = await (setting === 'standby' ? openPairedDatabase() : openOwnDatabase());
  const plain: OpenedSetting = {
    database,
    serversUrl: database.url,
    shape: undefined,
    firstRoot: undefined,
    close: database.close,
  };
  if (setting === 'pooler') return await withPooler(plain);
  return setting === 'previous release' ? await withPreviousRelease(plain) : plain;
}

/** A crash kills the primary, and the synchronous standby takes over. */
async function openPairedDatabase(): Promise<OwnDatabase> {
  const pair = await openPair();
  await migrate({ url: pair.primaryUrl() });
  let changed: Promise<void> = Promise.resolve();
  const failOver = async () => {
    await pair.killPrimary('machine');
    await pair.promote();
    await pair.rebuild();
  };
  return {
    url: pair.url,
    primaryUrl: pair.primaryUrl,
    ownerSql: pair.ownerSql,
    crash: () => (changed = changed.then(failOver)),
    // Between its death and the promotion there is no primary.
    freeze: () => pair.freezePrimary().catch(() => () => undefined),
    log: pair.log,
    close: pair.close,
  };
}

const login = 'kilim_pooled';

/** Stays plain without PgBouncer on this machine. */
async function withPooler(plain: OpenedSetting): Promise<OpenedSetting> {
  const [installed] = await findPgBouncers();
  if (installed === undefined) return plain;
  const { withPrepared, withoutPrepared } = await documentedSettings();
  const databaseUrl = Object.assign(new URL(plain.database.url), { username: login, password: 'secret' }).href;
  const settings = installed.isPreparing ? withPrepared : withoutPrepared;
  const pooler = await startPgBouncer({ databaseUrl, settings, program: installed.program });
  return {
    ...plain,
    serversUrl: pooler.url,
    shape: async ({ url, ownerSql }) => {
      await ownerSql.unsafe(`create role ${login} login password 'secret'`);
      await prepareLogin(url, login);
    },
    close: async () => {
      await pooler.stop();
      await plain.close();
    },
  };
}

/** Stays plain before the first release. */
async function withPreviousRelease(plain: OpenedSetting): Promise<OpenedSetting> {
  const release = await findPreviousRelease();
  if (release === undefined) return plain;
  const folder = await mkdtemp(join(tmpdir(), 'kilim-chaos-'));
  const firstRoot = join(folder, 'previous');
  await checkOutServer(release, firstRoot);
  return {
    ...plain,
    firstRoot,
    close: async () => {
      await plain.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
}
