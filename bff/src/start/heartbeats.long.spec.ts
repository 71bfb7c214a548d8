import { generateKeyPairSync } from 'node:crypto';
import { signWebhook } from '@kilim/lab/square/webhook-signature';
import { makeAdministrator, makePerson, openBrowser } from '@kilim/lab/testing/administrator';
import { mailRecipients, openMailDesk } from '@kilim/lab/testing/mails';
import { testDatabase } from '@kilim/lab/testing/postgres';
import { openShop } from '@kilim/lab/testing/shop';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { AttentionAnswer } from '../../contract/attention.ts';
import { allJobs, rulesOf, startBackgroundWork } from '../core/background/background-work.ts';
import { roundOf } from '../core/background/job.ts';
import { connect } from '../core/database/database.ts';
import { expectJobs, readLateJobs } from '../core/ledger/jobs.ts';
import { ledgerSigner } from '../proof/signing-key.ts';

const { appSql, ownerSql } = await testDatabase();
const metricsToken = 'a token for metrics';
const key = generateKeyPairSync('ed25519').privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
const witness = { kind: 'mail', to: 'kept.example', send: async () => 'kept' } as const;
const proof = { signer: ledgerSigner(key, 'Test'), witnesses: [witness] };
const shop = await openShop(appSql, { metricsToken, proof });
// Another application's hold, which a hostile Square has, is a fault of its own when the clock goes on by days.
await shop.square.change({ hostile: false });
afterAll(shop.close);
await makeAdministrator(appSql);
const clara = { username: 'clara', password: 'quartz meadow lantern 41' };
await makePerson(appSql, clara, 'clerk');
const [owner, clerk] = [openBrowser(shop), openBrowser(shop, clara)];
beforeAll(async () => void (await Promise.all([owner.signIn(), clerk.signIn()])));
// Half past seven in the shop, each time on another day: the daily mail is due.
let morning = new Date('2026-11-24T15:30:00Z').getTime();
const now = () => new Date(morning);
const desk = await openMailDesk(shop, { now });
afterAll(desk.close);

const condition = { isRefused: false, freeDisk: 0.5 };
const world = {
  ...shop.world,
  now,
  timeZone: 'America/Los_Angeles',
  mails: desk.world,
  rooms: shop.rooms,
  server: {
    isSquareRefused: async () => condition.isRefused,
    freeDisk: async () => condition.freeDisk,
    webhooks: shop.webhooks.signs,
    isCatchingUp: () => false,
  },
} as const;
const work = allJobs(world);

/** As a server that has just started, although the job may not be due. */
async function round(name: string): Promise<void> {
  // Payouts are recorded with the comparison of weeks.
  const job = allJobs(world).find((each) => each.name === (name === 'record-payouts' ? 'reconcile-weeks' : name));
  if (job === undefined) throw new Error(`No such job: ${name}`);
  await ownerSql`update ledger.job set due_at = '-infinity'`;
  await roundOf(shop.world, job)().catch(() => undefined);
}

const table = (name: string) => ({
  cut: () => ownerSql.unsafe(`alter table ${name} rename to gone`),
  mend: () => ownerSql.unsafe(`alter table ${name.replace(/\..*/, '.gone')} rename to ${name.replace(/.*\./, '')}`),
});
const call = (name: string) => ({
  cut: () => ownerSql.unsafe(`alter function ledger.${name} rename to gone`),
  mend: () => ownerSql.unsafe(`alter function ledger.gone rename to ${name}`),
});
const square = (path: string) => ({
  cut: () => shop.square.setFault({ kind: 'status', method: 'GET', path, status: 503, times: 1000 }),
  mend: () => shop.square.clearFaults(),
});

const state = (bad: Partial<typeof condition>) => {
  const good = { ...condition };
  return { cut: async () => Object.assign(condition, bad), mend: async () => Object.assign(condition, good) };
};

/** Square signs a message for the address where it believes the shop to be. */
const squareSays = async (url: string) => {
  const body = JSON.stringify({ type: 'catalog.version.updated', event_id: 'e-1' });
  const signature = signWebhook({ ...shop.webhooks, url, body });
  await shop.post('/api/webhooks/square', body, { 'x-square-hmacsha256-signature': signature });
};

/** No job works without these. */
const needs = {
  'settle-effects': table('ledger.effect'),
  'process-hints': table('ledger.square_hint'),
  'park-effects': call('park_old_effects'),
  'reconcile-recent': square('/v2/payments'),
  'reconcile-weeks': square('/v2/refunds'),
  'record-payouts': square('/v2/payouts'),
  'compare-books': call('remember_comparison'),
  'certify-closings': table('ledger.event'),
  seal: table('ledger.checkpoint'),
  'send-notes': table('ledger.witnessed'),
  'tell-late-notes': table('ledger.witnessed'),
  'check-ledger': call('remember_comparison'),
  'send-mails': call('take_mails'),
  'tell-alarms': call('note_alarms'),
  'square-access': state({ isRefused: true }),
  disk: state({ freeDisk: 0.09 }),
  'square-messages': {
    cut: () => squareSays(`${shop.webhooks.url}/`),
    mend: () => squareSays(shop.webhooks.url),
  },
  'expire-contacts': table('ledger.event'),
  'count-days': call('count_days'),
  'watch-cluster': table('ledger.event'),
  'forget-hints': call('forget_old_hints'),
  'forget-security-log': table('admin.security_entry'),
} satisfies Record<string, { readonly cut: () => Promise<unknown>; readonly mend: () => Promise<unknown> }>;

const names = Object.keys(needs) as (keyof typeof needs)[];
/** This database has none: `tell-alarms.int.spec.ts`. */
const onceSeen = ['standby'];
const withMails = ['send-mails', 'tell-alarms'];
const rules = new Map(rulesOf(world).map((rule) => [rule.name, rule] as const));

async function lateItems(person = owner) {
  const { items } = (await (await person.get('/api/admin/attention')).json()) as AttentionAnswer;
  return items.filter(({ kind }) => kind === 'job-late');
}

/** The alert rule fires for these jobs. */
async function alerting(): Promise<readonly string[]> {
  const text = await (await shop.get('/metrics', { authorization: `Bearer ${metricsToken}` })).text();
  const values = (metric: string) =>
    [...text.matchAll(new RegExp(`^${metric}\\{name="([a-z-]+)"\\} (\\S+)$`, 'gm'))].map(
      ([, job = '', value]) => [job, Number(value)] as const,
    );
  const limits = new Map(values('kilim_job_limit_seconds'));
  return values('kilim_job_age_seconds').flatMap(([job, age]) => (age > (limits.get(job) ?? 0) ? [job] : []));
}

/** What the operator gets now, ten minutes after the last look. */
async function healthMails(): Promise<string> {
  await ownerSql`update ledger.alarm set seen_at = seen_at - interval '11 minutes'`;
  const before = desk.mailbox.mails().length;
  await round('tell-alarms');
  await desk.sendAll();
  const mails = desk.mailbox.mails().slice(before);
  return mails
    .filter(({ to }) => to.includes(mailRecipients.operator))
    .map(({ subject, text }) => `${subject}\n${text}`)
    .join('\n');
}

/** Undefined: there is nothing to say. */
async function nextSummary(): Promise<string | undefined> {
  morning += 24 * 60 * 60 * 1000;
  const before = desk.mailbox.mails().map(({ messageId }) => messageId);
  await desk.sendAll();
  return desk.mailbox
    .mails()
    .find(({ messageId, to }) => !before.includes(messageId) && to.includes(mailRecipients.shop))?.text;
}

/** As if its last success were longer ago than its limit. */
async function age(name: string): Promise<void> {
  await ownerSql`
    update ledger.heartbeat set succeeded_at = clock_timestamp() - make_interval(secs => limit_seconds + 1)
    where name = ${name}`;
}

beforeEach(async () => {
  await ownerSql`truncate ledger.heartbeat, ledger.alarm`;
  await expectJobs(appSql, [...rules.values()]);
});

test('each job of a server has a heartbeat, and a way to break it in this file', () => {
  expect([...rules.keys()].toSorted()).toEqual(names.toSorted());
  const jobs = [...names, ...onceSeen].filter((name) => name !== 'record-payouts');
  expect(work.map(({ name }) => name).toSorted()).toEqual(jobs.toSorted());
  const withoutMails = rulesOf({ ...world, mails: undefined }).map(({ name }) => name);
  expect(withoutMails.toSorted()).toEqual(names.filter((name) => !withMails.includes(name)).toSorted());
});

test('a job stays watched when a server without it starts', async () => {
  await expectJobs(appSql, rulesOf({ ...world, rooms: [] }));
  await round('seal');
  await age('seal');
  expect(await readLateJobs(appSql)).toMatchObject([rules.get('seal')]);
});

test('a database that is away at this moment does not end a server that answers already', async () => {
  const away = connect({ url: 'postgres://nobody@127.0.0.1:1/none', max: 2, applicationName: 'nowhere' });
  const stops: (() => Promise<unknown>)[] = [];
  const closing = () => (stop: () => Promise<unknown>) => void stops.push(stop);
  startBackgroundWork({ ...world, sql: away, mails: undefined }, closing);
  expect(stops).toHaveLength(work.length - withMails.length);
  await Promise.all(stops.map((stop) => stop()));
  // Connections that never opened have no end of their own.
  await away.end({ timeout: 1 });
});

describe.each(names)('%s', (name) => {
  const { meaning = '' } = rules.get(name) ?? {};
  test('that fails for its limit is told to people, by mails, and by the metrics, until it succeeds', async () => {
    await round(name);
    await round(name);
    expect(await readLateJobs(appSql)).toEqual([]);
    await needs[name].cut();
    try {
      await age(name);
      await round(name);
    } finally {
      await needs[name].mend();
    }
    const [item, ...others] = await lateItems();
    expect(others).toEqual([]);
    expect(item).toMatchObject({ id: name, orderId: null, since: expect.any(String) });
    expect(item?.detail).toMatch(/^[A-Z].*\. The server says: .+\.$/);
    expect(item?.detail).toContain(meaning);
    expect(await lateItems(clerk)).toHaveLength(1);
    expect(await alerting()).toEqual([name]);
    expect(await nextSummary()).toContain(meaning);
    if (name !== 'tell-alarms') {
      const begun = await healthMails();
      expect(begun).toContain(`The order system needs help: ${meaning} The server says: `);
      expect(await healthMails()).toBe('');
    }
    await round(name);
    if (name !== 'tell-alarms') expect(await healthMails()).toContain(`Over: ${meaning}`);
    expect(await lateItems()).toEqual([]);
    expect(await alerting()).toEqual([]);
    expect((await nextSummary()) ?? '').not.toContain(meaning);
  });
});
