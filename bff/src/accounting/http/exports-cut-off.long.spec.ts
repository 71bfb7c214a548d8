import { makeAdministrator, openBrowser } from '@kilim/lab/testing/administrator';
import { patience } from '@kilim/lab/testing/patience';
import { testDatabase } from '@kilim/lab/testing/postgres';
import { openShop } from '@kilim/lab/testing/shop';
import { afterAll, expect, test } from 'vitest';
import { listen } from '../../start/listen.ts';

// Downloads over real connections that end before the file.

const { appSql, ownerSql } = await testDatabase();
/** With small and with large pages; the number of lines before the first event. */
const formats = [
  ['jsonl', 0],
  ['csv', 1],
] as const;
const url = new URL('http://127.0.0.1');
await ownerEvents(ownerSql, 60_000);
const away = await openShop(appSql, { stalledAfterMs: 500 });
afterAll(away.close);
await makeAdministrator(appSql);
const admin = openBrowser(away);
await admin.signIn();
const headers = { cookie: [...admin.cookies].map(([name, value]) => `${name}=${value}`).join('; ') };
const server = await listen({
  host: '127.0.0.1',
  port: 0,
  handler: () => ({
    fetch: async (request) => await away.request(new URL(request.url).pathname + new URL(request.url).search, request),
  }),
});
url.port = String(server.port);
afterAll(() => server.close(1));
const openReadings = async () => {
  const [row] = await ownerSql<{ open: number }[]>`
    select count(*) as open from pg_stat_activity
    where datname = current_database() and application_name = 'kilim test app' and backend_type = 'client backend'
      and (state <> 'idle' or xact_start is not null)`;
  return row?.open ?? 0;
};

test.each(formats)(
  'a client that disconnects frees its database connection, and the next download is whole: %s',
  async (format, header) => {
    const download = new URL(`/api/admin/ledger/export?format=${format}&from=2026-10-01&to=2026-10-31`, url);
    for (let time = 0; time < 5; time += 1) {
      const leaving = new AbortController();
      const answer = await fetch(download, { headers, signal: leaving.signal });
      await answer.body?.getReader().read();
      // The header may arrive while the session is still being checked.
      await expect.poll(openReadings, { ...patience, interval: 10 }).toBe(1);
      leaving.abort();
      await expect.poll(openReadings, patience).toBe(0);
    }
    const whole = await (await fetch(download, { headers })).text();
    expect(whole.split('\n').length - 1).toBe(header + 60_000);
  },
);

test.each(formats)(
  'a client that stops reading is cut off, and its download ends with an error: %s',
  async (format) => {
    const download = new URL(`/api/admin/ledger/export?format=${format}&from=2026-10-01&to=2026-10-31`, url);
    const answer = await fetch(download, { headers });
    // The header may arrive before the ledger is read.
    await expect.poll(openReadings, { ...patience, interval: 10 }).toBe(1);
    await expect.poll(openReadings, patience).toBe(0);
    const outcome = await answer.text().then(
      () => 'whole',
      () => 'cut off',
    );
    expect(outcome).toBe('cut off');
  },
);

/** Without the append function, enough to fill each buffer between the table and a client. */
async function ownerEvents(sql: typeof ownerSql, events: number): Promise<void> {
  await sql`
    insert into ledger.event (stream_id, version, command_id, type, schema_version, actor, occurred_at, payload, previous_hash, hash)
    select 'admin-zoe', n, 'made-up', 'SomethingNew', 1, 'admin:' || repeat('ada', 150), '2026-10-05T12:00:00Z', '{"by":"ada"}', sha256('x'), sha256('x')
    from generate_series(1, ${events}::integer) n`;
}
