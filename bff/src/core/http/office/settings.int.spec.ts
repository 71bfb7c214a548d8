import { ada, makeAdministrator, openBrowser } from '@kilim/lab/testing/administrator';
import { patience } from '@kilim/lab/testing/patience';
import { testDatabase } from '@kilim/lab/testing/postgres';
import { openShop, paid, paymentFor, quoted, sendPayment } from '@kilim/lab/testing/shop';
import { afterAll, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import type { AdminSettingsAnswer, SettingsConflictAnswer, SettingsHistory } from '../../../../contract/settings.ts';
import { openSavedSettings } from '../../queries/saved-settings.ts';

const { appSql } = await testDatabase();
const shop = await openShop(appSql);
const otherShop = await openShop(appSql);
afterAll(() => Promise.all([shop.close(), otherShop.close()]));
await makeAdministrator(appSql);
const admin = openBrowser(shop);
const colleague = openBrowser(otherShop);
beforeEach(async () => {
  await admin.signIn();
  await colleague.signIn();
});

async function held(browser = admin): Promise<AdminSettingsAnswer> {
  const answer = await browser.get('/api/admin/settings');
  expect(answer.status).toBe(200);
  const settings = (await answer.json()) as AdminSettingsAnswer;
  expect(answer.headers.get('etag')).toBe(`"${settings.version}"`);
  return settings;
}

function save(changes: object, browser = admin, headers: Record<string, string> = {}) {
  return browser.post('/api/admin/settings', changes, headers);
}

async function saved(changes: object, browser = admin): Promise<AdminSettingsAnswer> {
  const answer = await save({ ...(await held(browser)), ...changes }, browser);
  expect(answer.status).toBe(200);
  return (await answer.json()) as AdminSettingsAnswer;
}

const prices = (premium: unknown) => ({ tierPrices: { premium, midrange: 3.95, economy: 1.95 } });

const taxed = (...rates: readonly (readonly [since: string, percent: unknown])[]) => ({
  salesTax: { name: 'CA Sales Tax', rates: rates.map(([since, percent]) => ({ since, percent })) },
});

describe('saving', () => {
  test('a saved price is shown, quoted and charged from then on', async () => {
    await saved(prices(5.95));
    const old = await quoted(shop);
    const { version } = await saved(prices(6.25));
    expect(await (await shop.get('/api/settings')).json()).toMatchObject({ version, tierPrices: { premium: 6.25 } });
    const quote = await quoted(shop);
    // 80 square feet of premium at 0.30 more.
    expect(quote.totalAmount).toBe(Number((old.totalAmount + 24).toFixed(2)));
    const refused = await sendPayment(shop, paymentFor(old));
    expect(refused).toMatchObject({
      status: 409,
      body: { code: 'PriceChanged', quote: { totalAmount: quote.totalAmount } },
    });
    await paid(shop, paymentFor(quote));
    const [placed] = await appSql<{ payload: string }[]>`
      select payload::text as payload from ledger.event
      where stream_id = ${`order-${quote.orderId}`} and type = 'OrderPlaced'`;
    expect(JSON.parse(placed?.payload ?? '')).toMatchObject({ settingsVersion: version });
  });

  test('another server charges the new price within a second, and never the old one later', async () => {
    const another = await openShop(appSql);
    onTestFinished(another.close);
    const old = await quoted(another);
    await saved(prices(7.5));
    const { now } = performance;
    vi.spyOn(performance, 'now').mockImplementation(() => now.call(performance) + 1001);
    expect(await sendPayment(another, paymentFor(old))).toMatchObject({
      status: 409,
      body: { code: 'PriceChanged' },
    });
    await expect
      .poll(async () => (await another.get('/api/settings')).json(), patience)
      .toMatchObject({ tierPrices: { premium: 7.5 } });
  });

  test('the ledger stores prices in cents and the name of the administrator', async () => {
    const { version } = await saved(prices('6.10'));
    const [event] = await appSql<{ actor: string; payload: string }[]>`
      select actor, payload::text as payload from ledger.event where stream_id = 'settings' order by version desc limit 1`;
    expect(event?.actor).toBe('admin:ada');
    expect(JSON.parse(event?.payload ?? '')).toMatchObject({
      version,
      by: 'ada',
      settings: { tierPrices: { premium: 610, midrange: 395, economy: 195 } },
    });
  });

  test('a field that a save leaves out stays, and an unknown field is kept until it is null', async () => {
    const before = await saved({ terms: '<p>Cash only</p>', holiday: { from: '2026-12-24', to: ['a', 1, null] } });
    expect(before).toMatchObject({ holiday: { from: '2026-12-24', to: ['a', 1, null] } });
    const answer = await save({ version: before.version, tierPrices: { premium: 5.5, midrange: 4, economy: 2 } });
    expect(await answer.json()).toMatchObject({ terms: '<p>Cash only</p>', holiday: { from: '2026-12-24' } });
    expect(await saved({ holiday: null })).not.toHaveProperty('holiday');
  });

  test('saving the same settings again keeps the version', async () => {
    const settings = await saved({ terms: 'Once' });
    expect((await saved({})).version).toBe(settings.version);
    expect(await (await save({ ...settings, version: 0 })).json()).toMatchObject({ version: settings.version });
  });

  test('the saved business details are shown', async () => {
    const business = {
      name: 'Golden Fleece',
      phone: '(415) 555-0199',
      bookingUrl: 'https://example.com/golden',
      dropOffSites: [{ name: 'Marina', note: 'Mondays' }],
    };
    await saved({ business });
    expect(await (await shop.get('/api/config')).json()).toMatchObject({
      business: { ...business, timeZone: 'America/Los_Angeles' },
    });
  });

  test('terms lose markup that could run, and lines lose their outer blanks', async () => {
    const settings = await saved({
      terms: '<p onclick="x()">Hello<script>alert(1)</script> <a href="javascript:x">there</a></p>',
      tierFeatures: { premium: ['  Silk \t wash ', '', 'Silk wash'], midrange: [], economy: ['One'] },
    });
    expect(settings.terms).toBe('<p>Hello <a>there</a></p>');
    expect(settings.tierFeatures).toEqual({ premium: ['Silk wash'], midrange: [], economy: ['One'] });
  });
});

describe('two administrators', () => {
  test('the second one gets the changes of the first one, and neither save is lost', async () => {
    const start = await saved({ ...prices(6), terms: 'Old terms' });
    const mine = { ...start, tierPrices: { ...start.tierPrices, premium: 6.5 } };
    await saved({ terms: 'Their terms', tierPrices: { ...start.tierPrices, premium: 7 } }, colleague);
    const answer = await save(mine, admin, { 'if-match': `"${start.version}"` });
    expect(answer.status).toBe(409);
    const conflict = (await answer.json()) as SettingsConflictAnswer;
    expect(conflict).toMatchObject({ code: 'SettingsChanged', changedBy: 'ada', current: { terms: 'Their terms' } });
    expect(conflict.differences).toEqual([
      { path: 'tierPrices.premium', name: 'Premium price per sq ft', base: 6, yours: 6.5, theirs: 7 },
      { path: 'terms', name: 'Terms', base: 'Old terms', yours: 'Old terms', theirs: 'Their terms' },
    ]);
    const merged = await save({ ...mine, terms: 'Their terms', version: conflict.current.version });
    expect(await merged.json()).toMatchObject({ version: start.version + 2, terms: 'Their terms' });
  });

  test('exactly one of many concurrent saves succeeds', async () => {
    const { version } = await held();
    const answers = await Promise.all(
      Array.from({ length: 8 }, (_, index) =>
        save({ version, terms: `Terms ${version} of ${index}` }, index % 2 === 0 ? admin : colleague),
      ),
    );
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 409, 409, 409, 409, 409, 409, 409]);
    expect((await held()).version).toBe(version + 1);
  });

  test('a save that names no version is refused', async () => {
    expect((await save({ terms: 'x' })).status).toBe(428);
    expect((await save({ terms: 'x' }, admin, { 'if-match': '*' })).status).toBe(428);
  });
});

describe('invalid fields, by path', () => {
  const deep = JSON.parse(`${'{"a":'.repeat(12)}1${'}'.repeat(12)}`) as object;
  test.each<[string, object, string]>([
    ['three decimals', prices(5.955), 'tierPrices.premium'],
    ['nothing', prices(0), 'tierPrices.premium'],
    ['less than nothing', prices(-1), 'tierPrices.premium'],
    ['a fortune', prices(1000.01), 'tierPrices.premium'],
    ['words', prices('a lot'), 'tierPrices.premium'],
    ['a power', prices('1e2'), 'tierPrices.premium'],
    ['no number', prices(null), 'tierPrices.premium'],
    ['a missing tier', { tierPrices: { premium: 5 } }, 'tierPrices.midrange'],
    ['a minimum of a fortune', { pickup: { price: 0.5, minimumOrder: 10_000.01 } }, 'pickup.minimumOrder'],
    ['a limit that refuses ordinary orders', { largestOrder: 999.99 }, 'largestOrder'],
    ['an add-on below nothing', { addOnPrices: { stainProtection: -1, greenPad: 3 } }, 'addOnPrices.stainProtection'],
    ['a missing add-on', { addOnPrices: { greenPad: 3 } }, 'addOnPrices.stainProtection'],
    ['a rate of more than 30 percent', taxed(['2000-01-01', 30.001]), 'salesTax.rates.0.percent'],
    ['a rate with four decimals', taxed(['2000-01-01', '9.8755']), 'salesTax.rates.0.percent'],
    ['a rate without a day', taxed(['soon', 9.75]), 'salesTax.rates.0.since'],
    ['two rates of a day', taxed(['2000-01-01', 9.75], ['2000-01-01', 10]), 'salesTax.rates.1.since'],
    ['no rate', taxed(), 'salesTax.rates'],
    ['no rate that holds today', taxed(['2090-01-01', 9.75]), 'salesTax.rates'],
    ['a tax without a name', { salesTax: { ...taxed(['2000-01-01', 1]).salesTax, name: ' ' } }, 'salesTax.name'],
    ['a size of a hundred yards', { sizePresets: [{ width: 60, length: 3600 }] }, 'sizePresets.0'],
    ['half an inch', { sizePresets: [{ width: 60.5, length: 96 }] }, 'sizePresets.0.width'],
    [
      'thirteen sizes',
      { sizePresets: Array.from({ length: 13 }, (_, index) => ({ width: 60, length: 96 + index })) },
      'sizePresets',
    ],
    [
      'a drop-off site whose link runs',
      {
        business: {
          ...{ name: 'K', phone: '', bookingUrl: '' },
          dropOffSites: [{ name: 'Valley', note: '', link: 'javascript:x' }],
        },
      },
      'business.dropOffSites.0.link',
    ],
    [
      'a feature as long as a book',
      { tierFeatures: { premium: ['x'.repeat(201)], midrange: [], economy: [] } },
      'tierFeatures.premium.0',
    ],
    [
      'a hundred features',
      { tierFeatures: { premium: Array.from({ length: 100 }, (_, n) => `F${n}`), midrange: [], economy: [] } },
      'tierFeatures.premium',
    ],
    ['terms as long as a book', { terms: 'x'.repeat(20_001) }, 'terms'],
    ['a script as an image', { addOnImages: { pad: 'javascript:alert(1)' } }, 'addOnImages.pad'],
    ['an image in the clear', { addOnImages: { pad: 'http://example.com/a.png' } }, 'addOnImages.pad'],
    [
      'an image host that ends a directive',
      { addOnImages: { pad: 'https://a.test;sandbox/x.png' } },
      'addOnImages.pad',
    ],
    ['an image host with a quote', { addOnImages: { pad: "https://a.test'none'/x.png" } }, 'addOnImages.pad'],
    ['an image that only looks like ours', { addOnImages: { pad: '//evil.example/a.webp' } }, 'addOnImages.pad'],
    [
      'a booking link that runs',
      { business: { name: 'K', phone: '(415) 555-0100', bookingUrl: 'javascript:x', dropOffSites: [] } },
      'business.bookingUrl',
    ],
    ['what is nested too deeply', { extra: deep }, 'extra'],
    ['a name that is no name', { 'a b': 1 }, 'a b'],
    ['more than can be kept', { extra: 'x'.repeat(70_000) }, 'body'],
  ])('%s', async (_, changes, path) => {
    const before = await held();
    const answer = await save({ version: before.version, ...changes });
    expect(answer.status).toBe(422);
    const { fields } = (await answer.json()) as { fields: Record<string, string> };
    expect(Object.keys(fields)).toContain(path);
    expect(await held()).toEqual(before);
  });

  test('names with a meaning in JavaScript', async () => {
    const { version } = await held();
    const body = `{"version":${version},"extra":{"__proto__":{"polluted":true}},"__proto__":{"polluted":true}}`;
    const answer = await admin.send('/api/admin/settings', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body,
    });
    expect(answer.status).toBe(422);
    expect({}).not.toHaveProperty('polluted');
  });
});

test('the history has each change and its administrator, newest first', async () => {
  const { version } = await saved({ ...prices(8), terms: 'A' });
  await saved({ ...prices(8.25), terms: 'B' });
  const entries = (await (await admin.get('/api/admin/settings/history')).json()) as SettingsHistory;
  expect(entries[0]).toEqual({
    version: version + 1,
    by: ada.username,
    at: expect.stringMatching(/^\d{4}-.*Z$/),
    changes: ['Premium price per sq ft: $8.00 → $8.25', 'Terms: “A” → “B”'],
  });
  expect(entries.at(-1)).toMatchObject({ version: 1 });
  expect(entries.at(-1)?.changes.length).toBeGreaterThan(0);
  const wrong = await admin.get('/api/admin/settings/history?before=yesterday');
  expect(wrong.status).toBe(422);
  expect(await wrong.json()).toMatchObject({ fields: { before: 'Please give a version' } });
  const older = (await (await admin.get('/api/admin/settings/history?before=2')).json()) as SettingsHistory;
  expect(older).toEqual([entries.at(-1)]);
});

test('a server that starts later uses the saved settings', async () => {
  const { version } = await saved({ terms: 'Before the start' });
  const later = await openSavedSettings({ sql: appSql, log: shop.world.log, business: (await held()).business });
  expect(later.latest()).toMatchObject({ version, settings: { terms: 'Before the start' } });
  await later.stop();
});
