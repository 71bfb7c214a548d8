import { generateKeyPairSync } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { identity, startTestSimulator } from '@kilim/lab/square/simulator-under-test';
import { spawnServer, startChildServer } from '@kilim/lab/testing/child-server';
import { patience } from '@kilim/lab/testing/patience';
import { testDatabase } from '@kilim/lab/testing/postgres';
import { settled } from '@kilim/lab/testing/settled';
import { appendFacts, workedMonth } from '@kilim/lab/testing/worked-month';
import { Registry } from 'prom-client';
import { afterAll, expect, test, vi } from 'vitest';
import { createLogger } from '../../core/runtime/logger.ts';
import { createSquareProcessor } from '../../core/square/square.ts';
import { refundWithinLimits } from '../../people/room.ts';
import { readLastCheckpoint, seal } from '../../proof/checkpoint.ts';
import { proof } from '../../proof/room.ts';
import { ledgerSigner } from '../../proof/signing-key.ts';
import { parseEnvironment } from '../env.ts';
import { openSquare } from '../start-peers.ts';
import { checkAtStart } from './check-at-start.ts';

const { url, appSql } = await testDatabase();
const { appSql: emptySql } = await testDatabase();
const dataDir = await mkdtemp(join(tmpdir(), 'kilim-start-'));
const simulator = await startTestSimulator();
afterAll(async () => {
  await simulator.close();
  await rm(dataDir, { recursive: true });
});
const makeKey = () =>
  generateKeyPairSync('ed25519').privateKey.export({ type: 'pkcs8', format: 'der' }).toString('base64');

const variables = {
  DATABASE_URL: url,
  DATA_DIR: dataDir,
  SQUARE_ACCESS_TOKEN: identity.accessToken,
  SQUARE_LOCATION_ID: identity.locationId,
  SQUARE_BASE_URL: simulator.url,
};

/** By the variable that they name. */
function lines(output: string, level: string): readonly string[] {
  return output
    .split('\n')
    .filter((line) => line.startsWith('{'))
    .map((line) => JSON.parse(line) as { level: string; variable?: string; msg: string })
    .filter((line) => line.level === level && line.variable !== undefined)
    .map(({ msg }) => msg);
}

test('a server whose peers are wrong starts, shows prices and names each variable in its log', async () => {
  await appendFacts(appSql, workedMonth.slice(0, 3));
  await settled(appSql);
  await seal(appSql, ledgerSigner(makeKey(), 'Test'));
  await appendFacts(appSql, workedMonth.slice(3, 6));
  await settled(appSql);
  const server = await startChildServer({
    ...variables,
    LEDGER_SIGNING_KEY: makeKey(),
    SQUARE_ACCESS_TOKEN: 'a-wrong-secret',
    METRICS_TOKEN: 'x',
  });
  expect((await fetch(`${server.url}/api/settings`)).status).toBeLessThan(500);
  const allLogged = () => {
    expect(lines(server.output(), 'error')).toHaveLength(2);
    expect(lines(server.output(), 'warn')).toHaveLength(1);
  };
  await vi.waitFor(allLogged, patience);
  expect(lines(server.output(), 'error').toSorted()).toEqual([
    expect.stringMatching(/^LEDGER_SIGNING_KEY: the newest checkpoint .* checkpoint --change-key$/),
    expect.stringMatching(/^SQUARE_ACCESS_TOKEN: Square refuses the token/),
  ]);
  expect(lines(server.output(), 'warn').toSorted()).toEqual([
    expect.stringMatching(/^METRICS_TOKEN: it has 1 characters/),
  ]);
  expect(server.output()).toContain('Square refuses our access token: no card can be charged');
  expect(server.output()).not.toContain('secret');
  expect(await readLastCheckpoint(appSql)).toMatchObject({ sequence: 1 });
  expect(await server.stop()).toBe(0);
}, 60_000);

test('at the start, a Square that does not answer is a warning', async () => {
  const parsed = parseEnvironment({ ...variables, LEDGER_SIGNING_KEY: makeKey() });
  if (!parsed.ok) throw new Error(parsed.rejection.join());
  const { card } = await openSquare(parsed.value, () => {});
  const unreachable = createSquareProcessor({ ...identity, baseUrl: 'http://127.0.0.1:1' });
  const signer = ledgerSigner(makeKey(), 'Test');
  const written: string[] = [];
  const log = createLogger({ level: 'info', destination: { write: (line) => void written.push(line) } });
  const world = { sql: emptySql, log, now: () => new Date(), refundWithin: refundWithinLimits };
  const { checks = [] } = proof({
    ...{ world: { ...world, card }, signer, witnesses: [], registry: new Registry() },
    ...{ withReader: (use) => use(emptySql), needsWitness: false, production: false },
  });
  const started = { environment: parsed.value, variable: 'DATABASE_URL', checks } as const;
  await checkAtStart({ ...world, card }, started);
  expect(written).toEqual([]);
  await checkAtStart({ ...world, card: unreachable }, started);
  expect(lines(written.join(''), 'warn')).toEqual([
    expect.stringMatching(/^SQUARE_ENVIRONMENT: Square gave no usable answer/),
  ]);
  expect(lines(written.join(''), 'error')).toEqual([]);
});

test.each([
  ['DATABASE_URL', { DATABASE_URL: 'postgres://kilim:a-secret@127.0.0.1:1/kilim' }],
  ['HOST', { HOST: '192.0.2.1' }],
])(
  'a start that fails because of %s says so in one sentence',
  async (variable, wrong) => {
    const server = spawnServer({ ...variables, ...wrong });
    expect(await server.ended).toBe(1);
    expect(server.output()).toMatch(new RegExp(`^Kilim cannot start: ${variable}: [^\n]+\\.$`, 'm'));
    expect(server.output()).not.toContain('secret');
  },
  60_000,
);
