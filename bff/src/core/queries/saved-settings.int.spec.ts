import { cents } from '@kilim/domain/money';
import { builtInSettingsFor, type Settings } from '@kilim/domain/settings/settings';
import { patience } from '@kilim/lab/testing/patience';
import { cloneDatabase } from '@kilim/lab/testing/postgres';
import { beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import { connect, type Sql } from '../database/database.ts';
import { appendToStream } from '../ledger/append.ts';
import { settingsCodec, settingsStream } from '../ledger/codecs/settings.ts';
import { sha256 } from '../ledger/hash.ts';
import { createLogger } from '../runtime/logger.ts';
import { openSavedSettings } from './saved-settings.ts';

// Settings hold for the whole ledger, so each test has its own.
let appSql: Sql;
let url: string;
const business = { name: 'Kilim', phone: '', bookingUrl: '', dropOffSites: [] };
const { settings: builtIn } = builtInSettingsFor(business);
const log = createLogger({ level: 'silent' });
let version = 0;
beforeEach(async () => {
  const database = await cloneDatabase();
  ({ appSql, url } = database);
  version = 0;
  return database.drop;
});

async function save(settings: Settings): Promise<void> {
  const event = settingsCodec.encode({ type: 'SettingsChanged', version: version + 1, settings, by: 'ada' });
  const { outcome } = await appendToStream(appSql, {
    streamId: settingsStream,
    expectedVersion: version,
    commandId: `test-${version + 1}`,
    requestHash: sha256(event.payload),
    actor: 'admin:ada',
    requestId: undefined,
    occurredAt: new Date(),
    events: [event],
  });
  expect(outcome).toBe('appended');
  version += 1;
}

const premiumAt = (price: number): Settings => ({
  ...builtIn,
  tierPrices: { ...builtIn.tierPrices, premium: cents(price) },
});

/** In the rest of the test, time passes twenty times as fast. */
function passASecond(): void {
  const { now } = performance;
  const began = performance.now();
  vi.spyOn(performance, 'now').mockImplementation(() => began + 1001 + (now.call(performance) - began) * 20);
}

async function openServer() {
  const sql = connect({ url, role: 'kilim_server', max: 1, applicationName: 'kilim other server' });
  const saved = await openSavedSettings({ sql, log, business });
  const leave = () => sql.end({ timeout: 0 });
  onTestFinished(async () => {
    await saved.stop();
    await leave();
  });
  return { saved, leave };
}

test('each server charges by settings that another server saved, at most a second later', async () => {
  const { saved } = await openServer();
  await save(premiumAt(625));
  passASecond();
  expect((await saved.current()).settings.tierPrices.premium).toBe(625);
  await save(premiumAt(650));
  await expect.poll(() => saved.latest().settings.tierPrices.premium, patience).toBe(650);
});

test('a payment does not wait for the settings, and fails when they may be outdated', async () => {
  const { saved, leave } = await openServer();
  const frozen = vi.spyOn(performance, 'now').mockReturnValue(performance.now());
  await saved.refresh();
  await leave();
  // Read less than a second ago, so no query is sent.
  expect(await saved.current()).toMatchObject({ version });
  frozen.mockRestore();
  passASecond();
  await expect(saved.current()).rejects.toMatchObject({ code: 'CONNECTION_ENDED' });
  expect(saved.latest()).toMatchObject({ version });
});

test('unreadable settings stop the start: prices are not guessed', async () => {
  const event = settingsCodec.encode({ type: 'SettingsChanged', version: version + 1, settings: builtIn, by: 'ada' });
  await appendToStream(appSql, {
    streamId: settingsStream,
    expectedVersion: version,
    commandId: 'test-newer',
    requestHash: sha256('newer'),
    actor: 'admin:ada',
    requestId: undefined,
    occurredAt: new Date(),
    events: [{ ...event, schemaVersion: 2 }],
  });
  await expect(openServer()).rejects.toThrow('The ledger holds SettingsChanged in version 2');
});
