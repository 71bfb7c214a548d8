import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { seedOrders } from '@kilim/lab/seed/seed-orders';
import type { StartingServer } from '@kilim/lab/testing/child-server';
import { patience } from '@kilim/lab/testing/patience';
import { postgresOfWorker, testDatabase } from '@kilim/lab/testing/postgres';
import { filesBelow, openStuckServers } from '@kilim/lab/testing/stuck-servers';
import { afterAll, expect, test, vi } from 'vitest';
import { findPostmaster } from './embedded/postmaster.ts';

// States that make a clean exit difficult. All servers get the signal at the same time, because many use the whole time
// limit.

const { url, ownerSql } = await testDatabase();
const seed = { orders: 6000, days: 20, until: new Date('2026-11-01T00:00:00Z'), seed: 1 };
await seedOrders(ownerSql, seed, () => undefined);
const servers = openStuckServers(url, postgresOfWorker());
afterAll(servers.close);

type State = {
  readonly state: string;
  readonly enter: () => Promise<StartingServer>;
  /** 1: a resource could not be closed in time. null: a signal ended the process. */
  readonly exitCodes: readonly (number | null)[];
  readonly signals?: readonly NodeJS.Signals[];
};

const states: readonly State[] = [
  { state: 'with nothing to do', exitCodes: [0], enter: servers.idle },
  { state: 'that is signalled twice', exitCodes: [0], enter: servers.idle, signals: ['SIGTERM', 'SIGTERM'] },
  { state: 'that is interrupted twice', exitCodes: [0], enter: servers.idle, signals: ['SIGINT', 'SIGINT'] },
  { state: 'whose clients keep their connections', exitCodes: [0], enter: servers.withKeptConnections },
  { state: 'whose client sends its request slowly', exitCodes: [0], enter: servers.withSlowClient },
  { state: 'whose client does not read its export', exitCodes: [0], enter: servers.withUnreadExport },
  { state: 'whose output is not read', exitCodes: [0], enter: servers.withUnreadOutput },
  { state: 'whose database is silent', exitCodes: [0, 1], enter: servers.withSilentDatabase },
  { state: 'whose database is away', exitCodes: [0, 1], enter: servers.withoutDatabase },
  { state: 'whose Square is silent', exitCodes: [0, 1], enter: servers.withSilentSquare },
  // The start may fail before the signal arrives.
  { state: 'that starts on a silent database', exitCodes: [0, 1], enter: servers.startingWithSilentDatabase },
  { state: 'that waits for other migrations', exitCodes: [0], enter: servers.waitingForMigrations },
  { state: 'with an embedded database', exitCodes: [0], enter: servers.withEmbeddedDatabase },
  { state: 'with a frozen embedded database', exitCodes: [1], enter: servers.withFrozenEmbeddedDatabase },
  { state: 'with a thread that does not return', exitCodes: [null], enter: servers.withBlockedThread },
];

const entered = await enterInTurns([...states], 2);
const ends = new Map(entered.map(({ state, server }) => [state.state, endOf(server, state.signals)]));

/** One server may take ten seconds. Fifteen end at the same time here. */
const endsWithinSeconds = patience.timeout / 1000;

test.each(states)(
  'a server $state ends in time after the signal',
  { timeout: 2 * patience.timeout },
  async ({ state, exitCodes, ...given }) => {
    // When a test is repeated, its server is alone.
    const end = await (ends.get(state) ?? endOf(await given.enter(), given.signals));
    ends.delete(state);
    process.stdout.write(`A server ${state} ended after ${end.seconds.toFixed(1)} s with ${end.exitCode}\n`);
    expect(end.seconds).toBeLessThan(endsWithinSeconds);
    expect(exitCodes).toContain(end.exitCode);
  },
);

test.each([
  ['makes its files', 'postgres.new-'],
  ['starts', 'postmaster.pid'],
])(
  'a server whose embedded database %s ends in time, and the database ends too',
  { timeout: 2 * patience.timeout },
  async (_, sign) => {
    const server = await servers.spawn({ DATABASE_URL: '' });
    await vi.waitFor(async () => expect(await filesBelow(server.dataDir)).toMatch(sign), { ...patience, interval: 5 });
    expect((await endOf(server)).seconds).toBeLessThan(endsWithinSeconds);
    const postmaster = () => findPostmaster(join(server.dataDir, 'postgres'));
    await vi.waitFor(async () => expect(await postmaster()).toBeUndefined(), patience);
  },
);

async function endOf(server: StartingServer, signals: readonly NodeJS.Signals[] = ['SIGTERM']) {
  const began = performance.now();
  for (const signal of signals) {
    server.process.kill(signal);
    await setTimeout(50);
  }
  const exitCode = await Promise.race([server.ended, setTimeout(endsWithinSeconds * 1000, undefined, { ref: false })]);
  return { exitCode, seconds: (performance.now() - began) / 1000 };
}

/** Each start keeps a processor busy. */
async function enterInTurns(left: State[], atOnce: number) {
  const results: { readonly state: State; readonly server: StartingServer }[] = [];
  const take = async () => {
    for (let state = left.shift(); state !== undefined; state = left.shift()) {
      results.push({ state, server: await state.enter() });
    }
  };
  await Promise.all(Array.from({ length: atOnce }, take));
  return results;
}
