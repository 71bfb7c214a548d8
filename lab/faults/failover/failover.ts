import { setTimeout } from 'node:timers/promises';
import type { Sql } from '../../../bff/src/core/database/database.ts';
import { isDatabaseAway } from '../../../bff/src/core/database/failures.ts';
import { readStreams } from '../../testing/ledger-violations.ts';
import { brokenAnswers, violations } from '../../testing/violations.ts';
import type { MachineDeath } from './machine.ts';
import { openPair, type Pair } from './pair.ts';
import { openShop, type Shop } from './shop.ts';

/** Of two machines. */
export type Cluster = Pick<Pair, 'url' | 'ownerSql' | 'readStandby' | 'killPrimary' | 'promote' | 'rebuild' | 'close'>;

export type FailoverCampaign = {
  readonly kills: number;
  readonly open?: () => Promise<Cluster>;
  readonly say: (line: string) => void;
};

export type KillResult = {
  readonly how: MachineDeath;
  /** Until the standby had replayed all and was the primary. */
  readonly promotionSeconds: number;
  /** From the promotion to the next customer who learned of a payment. */
  readonly paidAfterSeconds: number;
  /** The longest time without such a customer, from before the kill. */
  readonly gapSeconds: number;
  readonly rebuildSeconds: number;
};

export type FailoverOutcome = {
  readonly kills: readonly KillResult[];
  readonly payments: number;
  readonly refunds: number;
  readonly log: string;
  /** A broken answer, double charge, lost event or unexpected answer. */
  readonly violations: readonly string[];
};

/**
 * Kills the primary again and again while customers pay. The standby takes over, and the killed machine becomes its
 * standby.
 */
export async function runFailovers({ kills, say, open = openPair }: FailoverCampaign): Promise<FailoverOutcome> {
  const pair = await open();
  const results: KillResult[] = [];
  const lost: string[] = [];
  try {
    const shop = await openShop({ databaseUrl: pair.url, servers: 2, customers: 6 });
    try {
      for (let kill = 1; kill <= kills; kill += 1) {
        await paidSince(shop, Date.now(), 5);
        await setTimeout(Math.random() * 1000);
        const result = await failOver({ pair, shop, lost }, kill % 2 === 0 ? 'postmaster' : 'machine');
        results.push(result);
        say(`kill ${kill} of ${kills}: ${JSON.stringify(result)}${lost.length === 0 ? '' : `\n${lost.join('\n')}`}`);
      }
      await paidSince(shop, Date.now(), 5);
      await shop.closeDoors();
      const found = [...lost, ...shop.complaints, ...(await settled(pair, shop)), ...deaths(shop)];
      const log = shop.servers.map((server) => server.output()).join('\n');
      return { kills: results, payments: shop.paidAt.length, refunds: shop.refunds(), violations: found, log };
    } finally {
      await shop.close();
    }
  } finally {
    await pair.close();
  }
}

type Scene = { readonly pair: Cluster; readonly shop: Shop; readonly lost: string[] };

async function failOver({ pair, shop, lost }: Scene, how: MachineDeath): Promise<KillResult> {
  const lastPaidAt = shop.paidAt.at(-1) ?? 0;
  await pair.killPrimary(how);
  // Everything that anyone was told must be on the standby before it starts to write.
  lost.push(...(await lostOnStandby(pair, shop)));
  const promoting = Date.now();
  await pair.promote();
  const promoted = Date.now();
  const paidAt = await paidSince(shop, promoted, 1);
  const rebuilding = Date.now();
  await pair.rebuild();
  const seconds = (from: number, to: number) => (to - from) / 1000;
  return {
    how,
    promotionSeconds: seconds(promoting, promoted),
    paidAfterSeconds: seconds(promoted, paidAt),
    gapSeconds: seconds(lastPaidAt, paidAt),
    rebuildSeconds: seconds(rebuilding, Date.now()),
  };
}

async function lostOnStandby(pair: Cluster, { told }: Shop): Promise<readonly string[]> {
  const heard = [...told];
  return await pair.readStandby(async (standby) => {
    await untilReplayed(standby);
    const broken = brokenAnswers({ streams: await readStreams(standby) }, heard);
    return broken.map((sentence) => `Before the promotion: ${sentence}`);
  });
}

/** The last received record may be incomplete, so replay can end before it. */
async function untilReplayed(standby: Sql): Promise<void> {
  for (let before = ''; ; await setTimeout(100)) {
    const [row] = await standby<{ lsn: string }[]>`select pg_last_wal_replay_lsn()::text as lsn`;
    if (row?.lsn === before) return;
    before = row?.lsn ?? '';
  }
}

const longestWaitMs = 60_000;

/** @returns when the last of them was learned of. */
async function paidSince({ paidAt, servers }: Shop, since: number, payments: number): Promise<number> {
  while (Date.now() < since + longestWaitMs) {
    const at = paidAt.filter((time) => time > since)[payments - 1];
    if (at !== undefined) return at;
    await setTimeout(5);
  }
  const output = servers.map((server) => server.output().slice(-2000)).join('\n');
  throw new Error(`No customer could pay for ${longestWaitMs / 1000} s:\n${output}`);
}

const settlesWithinMs = 60_000;

async function settled({ ownerSql }: Cluster, { square, told }: Shop): Promise<readonly string[]> {
  const deadline = Date.now() + settlesWithinMs;
  for (;;) {
    const found = await violations(ownerSql, square, told).catch((error: unknown) => {
      if (isDatabaseAway(error)) return ['The database is away'];
      throw error;
    });
    if (found.length === 0 || Date.now() > deadline) return found;
    await setTimeout(100);
  }
}

function deaths({ servers }: Shop): readonly string[] {
  return servers
    .filter((server) => !server.isAlive())
    .map((server) => `A server died:\n${server.output().slice(-2000)}`);
}
