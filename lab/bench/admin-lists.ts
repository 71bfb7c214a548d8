import { Hono } from 'hono';
import { connect } from '../../bff/src/core/database/database.ts';
import type { ImageHost } from '../../bff/src/core/http/images/image-host.ts';
import { serveBackOffice } from '../../bff/src/core/http/office/back-office.ts';
import type { RequestEnv } from '../../bff/src/core/http/request-id.ts';
import type { Throttles } from '../../bff/src/core/http/throttle/throttle.ts';
import type { SavedSettings } from '../../bff/src/core/queries/saved-settings.ts';
import type { World } from '../../bff/src/core/use-case/world.ts';
import { adminCookies } from '../../bff/src/people/http/cookies.ts';
import { createAdminGuard } from '../../bff/src/people/http/guard.ts';
import { ensureFirstAdministrator, generatePassword } from '../../bff/src/people/sign-in/accounts.ts';
import { startSession } from '../../bff/src/people/sign-in/sessions.ts';
import { median } from './measure.ts';
import { type SeededDatabase, timeZone, until, withSeededDatabases } from './seeded-databases.ts';

// How long the back office takes to answer with few and many orders: to the last byte of JSON, or to the first rows of
// CSV. The databases are measured in turn. Usage: node lab/bench/admin-lists.ts [1000 100000 1000000] [--keep folder]

const rounds = 60;

type BackOffice = {
  readonly orders: number;
  readonly ask: (path: string) => Promise<Response>;
  readonly person: { readonly name: string; readonly email: string; readonly phone: string };
  readonly orderId: string;
  readonly lastPage: number;
  readonly lastRefundsPage: number;
  readonly close: () => Promise<void>;
};

type Question = {
  readonly what: string;
  readonly path: (office: BackOffice) => string;
  /** A download is measured to its first rows. */
  readonly isStream?: true;
};

const questions: readonly Question[] = [
  { what: 'first page', path: () => '/orders' },
  { what: 'first page of 25', path: () => '/orders?pageSize=25' },
  { what: 'last page', path: ({ lastPage }) => `/orders?page=${lastPage}` },
  { what: 'middle page', path: ({ lastPage }) => `/orders?page=${Math.ceil(lastPage / 2)}` },
  { what: 'filter: refund pending', path: () => '/orders?status=pending' },
  { what: 'filter: refund failed', path: () => '/orders?status=failed' },
  { what: 'filter: partly refunded', path: () => '/orders?status=partial' },
  { what: 'filter: pickup, partly refunded', path: () => '/orders?delivery=pickup&status=partial' },
  { what: 'filter: one month, oldest first', path: () => '/orders?from=2025-03-01&to=2025-03-31&sort=createdAt' },
  { what: 'search: email', path: ({ person }) => `/orders?search=${encodeURIComponent(person.email)}` },
  { what: 'search: telephone', path: ({ person }) => `/orders?search=${person.phone}` },
  { what: 'search: whole name', path: ({ person }) => `/orders?search=${encodeURIComponent(person.name)}` },
  { what: 'search: first name, one in ten', path: () => '/orders?search=Carmen' },
  { what: 'search: every order matches', path: () => '/orders?search=@example.com' },
  { what: 'refunds, first page', path: () => '/refunds' },
  { what: 'refunds, last page', path: ({ lastRefundsPage }) => `/refunds?page=${lastRefundsPage}` },
  { what: 'statistics of 30 days', path: () => '/statistics' },
  { what: 'CSV of all, first rows', path: () => '/orders.csv', isStream: true },
  { what: 'CSV of a filter, first rows', path: () => '/orders.csv?status=partial', isStream: true },
  { what: 'CSV of a common search, first rows', path: () => '/orders.csv?search=Carmen', isStream: true },
  { what: 'one order with other orders', path: ({ orderId }) => `/orders/${orderId}` },
  { what: 'needs attention', path: () => '/attention' },
  { what: 'has anything changed', path: () => '/changes' },
];

async function openBackOffice({ url, orders }: SeededDatabase): Promise<BackOffice> {
  const sql = connect({ url, role: 'kilim_server', max: 4, applicationName: 'kilim bench' });
  await ensureFirstAdministrator(sql, { username: 'bench', password: generatePassword(), production: false });
  const from = { address: '127.0.0.1', userAgent: 'bench', replacing: undefined };
  const session = await startSession(sql, 'bench', from);
  if (session === undefined) throw new Error('The session did not start');
  // The measured requests neither pay nor refund and are not throttled.
  const world = { sql, now: () => until } as World;
  const throttles = { counters: { counter: () => ({}) } } as unknown as Throttles;
  const nothing = async () => undefined;
  const securityOf = () => ({ note: nothing, noteIn: nothing });
  const guard = createAdminGuard({
    ...{ sql, cookies: adminCookies({ secure: false }), needsSecondFactor: false },
    unknownTokens: nothing,
  });
  const app = new Hono<RequestEnv>();
  const door = {
    guard,
    securityOf,
    sessionOf: async () => undefined,
    hasProvenWithin: async () => true,
    serve: () => undefined,
  };
  const unused = { settings: {} as SavedSettings, imageHost: {} as ImageHost };
  serveBackOffice(app, door, {
    ...{ world, timeZone, throttles, exporting: sql, stalledAfterMs: 60_000, rooms: [], shopMail: undefined },
    shopUrl: 'http://127.0.0.1',
    ...unused,
  });
  const headers = { cookie: `kilim_admin=${session.token}` };
  const ask = async (path: string) => app.request(`/api/admin${path}`, { headers });
  const [person] = await sql<{ name: string; email: string; phone: string; order_id: string }[]>`
    select name, email, phone, order_id from ledger.customer_contact join ledger.order_summary using (order_id)
    where payment_status = 'paid' and placed_at > ${until} - interval '500 days' order by placed_at limit 1`;
  if (person === undefined) throw new Error('No paid order was found');
  const pages = async (path: string) => Math.ceil(Number((await ask(path)).headers.get('x-total-count')) / 10);
  const lastPage = await pages('/orders');
  const lastRefundsPage = await pages('/refunds');
  return { orders, ask, person, orderId: person.order_id, lastPage, lastRefundsPage, close: () => sql.end() };
}

async function milliseconds({ ask }: BackOffice, path: string, isStream = false): Promise<number> {
  const started = performance.now();
  const answer = await ask(path);
  if (isStream) {
    await readFirstRows(answer);
    return performance.now() - started;
  }
  const text = await answer.text();
  if (answer.status !== 200) throw new Error(`${path}: ${answer.status} ${text}`);
  return performance.now() - started;
}

async function readFirstRows({ body }: Response): Promise<void> {
  const reader = body?.getReader();
  for (let pieces = 0; pieces < 2; pieces += 1) await reader?.read();
  await reader?.cancel();
}

async function measure(offices: readonly BackOffice[], { what, path, isStream }: Question): Promise<void> {
  const taken = offices.map((): number[] => []);
  for (let round = 0; round < rounds; round += 1) {
    for (const [index, office] of offices.entries())
      taken[index]?.push(await milliseconds(office, path(office), isStream));
  }
  const medians = taken.map(median);
  const [first = 0] = medians;
  const cells = medians.map((value) => `${value.toFixed(1).padStart(8)} ms`);
  const ratios = medians.slice(1).map((value) => `${(value / first).toFixed(2).padStart(6)}x`);
  process.stdout.write(`| ${what.padEnd(32)} | ${cells.join(' | ')} | ${ratios.join(' | ')} |\n`);
}

await withSeededDatabases([1000, 100_000], async (databases) => {
  const offices = await Promise.all(databases.map(openBackOffice));
  const sizes = offices.map(({ orders }) => orders.toLocaleString('en-US').padStart(11));
  const ratios = sizes.slice(1).map(() => '  ratio');
  process.stdout.write(`| ${`median of ${rounds}, by orders`.padEnd(32)} | ${[...sizes, ...ratios].join(' | ')} |\n`);
  process.stdout.write(`| --- | ${[...sizes, ...ratios].map(() => '---:').join(' | ')} |\n`);
  for (const question of questions) await measure(offices, question);
  await Promise.all(offices.map((office) => office.close()));
});
