import { blankDatabase, testDatabase } from '@kilim/lab/testing/postgres';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { checkAccess } from '../../proof/check-access.ts';
import { checkTraces } from '../../proof/check-traces.ts';
import { verifyLedger } from '../../proof/verify.ts';
import { connect, type Sql } from './database.ts';
import { migrate } from './migrate.ts';
import { prepareLogin, prepareVerifier } from './prepare-login.ts';

// An attacker sends any SQL as a member of kilim_server only. `42501` is PostgreSQL's insufficient_privilege, `KLM03` a
// check of a function.

const login = 'attacked_server';
const verifier = 'nightly_verifier';
const { url, ownerSql } = await testDatabase();
const opened: Sql[] = [];

function open(username: string): Sql {
  const address = Object.assign(new URL(url), { username, password: 'rugs' }).href;
  const sql = connect({ url: address, max: 1, applicationName: 'kilim attacker' });
  opened.push(sql);
  return sql;
}

const attacker = open(login);
const orderId = '01890a5d-ac96-774b-bcce-b302099a8057';
const hash = `decode(repeat('00', 32), 'hex')`;

beforeAll(async () => {
  await ownerSql.unsafe(`create role ${login} login password 'rugs'; create role ${verifier} login password 'rugs'`);
  await prepareLogin(url, login);
  await prepareVerifier(url, verifier);
  await ownerSql.unsafe(`
    insert into ledger.effect (key, order_id, payment_id, refund_id, kind, wait_seconds)
    values ('r1:refund', '${orderId}', 'p1', 'r1', 'refund', 6), ('r1:follow_refund', '${orderId}', 'p1', 'r1', 'follow_refund', 6);
    insert into ledger.refund_history (refund_id, order_id, payment_id, origin, status, refund_type, amount_cents, reason,
      items, delivery_minimum_cents, services_cents, add_ons_cents, delivery_cents, minimum_cents, sales_tax_cents,
      requested_by, requested_at)
    values ('r1', '${orderId}', 'p1', 'admin', 'pending', 'full', 100, 'damaged', '[]', 0, 100, 0, 0, 0, 0, 'ada', now());
    insert into ledger.square_hint (event_id, event_type, subject, square_id) values ('e1', 'refund.updated', 'refund', 'sq1');
    insert into kilim.throttle values ('sign-in:ada', 9, 9999999999999);
    select ledger.take_job('seal', 60)`);
});
afterAll(async () => {
  await Promise.all(opened.map((sql) => sql.end({ timeout: 1 })));
  for (const role of [login, verifier]) await ownerSql.unsafe(`drop owned by ${role}; drop role ${role}`);
});

const seal = (values: string) => `select ledger.add_checkpoint(${values}, 1, ${hash}, E'kilim/ledger\\n1\\n')`;
const here = 'ledger.current_epoch()';
const horizon = 'pg_snapshot_xmin(pg_current_snapshot())';

test.each([
  // What every role of the application is refused
  ['delete from ledger.event', '42501'],
  ["insert into ledger.command (command_id) values ('x')", '42501'],
  ['alter table ledger.event disable trigger all', '42501'],
  ['set session_replication_role = replica', '42501'],
  ['update ledger.order_summary set captured_cents = 0', '42501'],
  ['update ledger.customer_contact set email = null', '42501'],
  ['create function ledger.f() returns int language sql return 1', '42501'],
  ['create table public.loot (line text)', '42501'],
  ["copy ledger.customer_contact to program 'cat'", '42501'],
  ["select pg_read_file('/etc/passwd')", '42501'],
  ['select * from pg_authid', '42501'],
  [
    `insert into ledger.checkpoint (sequence, from_epoch, from_xid, epoch, xid, events, root, note)
       values (1, 0, '0', 32000, '1', 1, ${hash}, '')`,
    '42501',
  ],
  [seal(`1, 0::smallint, '0', 32000::smallint, '1'`), 'KLM03'],
  [seal(`1, 0::smallint, '0', ${here}, '9999999999'`), 'KLM03'],
  [seal(`2, 0::smallint, '0', ${here}, ${horizon}`), 'KLM03'],
  [seal(`1, 1::smallint, '0', ${here}, ${horizon}`), 'KLM03'],
  [seal(`1, 0::smallint, '0', ${here}, ${horizon}`), 'KLM03'],
  [`update ledger.finding set report = '{"faults":0}'`, '42501'],
  [`insert into ledger.finding (name, report) values ('verification', '{"faults":0}')`, '42501'],
  [`select ledger.remember_verification('{"faults":0}')`, '42501'],
  [`select ledger.remember_comparison('verification', '{"faults":0}')`, 'KLM03'],
  [`select ledger.keep_finding('verification', '{"faults":0}')`, '42501'],
  [`update ledger.job set due_at = 'infinity'`, '42501'],
  [`select ledger.postpone_job('seal', 'infinity')`, 'KLM03'],
  [`select ledger.postpone_job('seal', 90000)`, 'KLM03'],
  [`select ledger.take_job('seal', 1e9)`, 'KLM03'],
  [`update ledger.effect set state = 'done'`, '42501'],
  [`update ledger.effect set state = 'parked'`, '42501'],
  [`select ledger.take_effect('r1:refund', 0, 0, 1000000)`, 'KLM03'],
  [`select ledger.release_effect('r1:refund', 0, 1000000)`, 'KLM03'],
  [`select ledger.put_effect_back('r1:refund', 0, 1, 'ada@example.com')`, 'KLM03'],
  [`select ledger.park_effect('r1:refund', 0, 'ada@example.com')`, 'KLM03'],
  ['update ledger.square_hint set handled_at = now()', '42501'],
  ['delete from ledger.square_hint', '42501'],
  [`select ledger.release_hint('e1', 1000000)`, 'KLM03'],
  ['delete from kilim.throttle', '42501'],
  ['update kilim.throttle set points = 0', '42501'],
  ['select key from kilim.throttle', '42501'],
])('a server is refused: %s', async (statement, code) => {
  await expect(attacker.unsafe(statement)).rejects.toMatchObject({ code });
});

test.each([
  'select password_hash from admin.account',
  "insert into admin.account (username, display_name, role, state) values ('eve', 'Eve', 'owner', 'invited')",
  "update admin.account set password_hash = '$argon2id$x'",
  `insert into admin.session (token_hash, username, address, user_agent) values (${hash}, 'admin', '', '')`,
  `insert into admin.export_token (token_hash, name, created_by) values (${hash}, 'eve', 'admin')`,
  'select token_hash from admin.session',
  'delete from admin.known_browser',
  'delete from admin.security_entry',
  "update admin.security_entry set kind = 'signed-out'",
  "insert into admin.security_entry (kind, at) values ('signed-in', '2020-01-01')",
  'select detail from admin.security_entry',
  'truncate admin.security_entry',
])('a server is refused: %s', async (statement) => {
  await expect(attacker.unsafe(statement)).rejects.toMatchObject({ code: '42501' });
});

test('the effect of an undecided refund cannot be closed, and only a call to send it can be parked', async () => {
  const ask = async (call: string) =>
    (await attacker.unsafe<{ answer: unknown }[]>(`select ${call} as answer`))[0]?.answer;
  expect(await ask(`ledger.close_effect('r1:refund', 0)`)).toBe(false);
  expect(await ask('(select count(*)::int from ledger.park_old_effects())')).toBe(0);
  expect(await ask(`ledger.park_effect('r1:follow_refund', 0, 'X')`)).toBe(false);
  expect(await ask(`ledger.park_effect('r1:refund', 1, 'X')`)).toBe(false);
  await ownerSql`update ledger.refund_history set square_refund_id = 'sq1' where refund_id = 'r1'`;
  expect(await ask(`ledger.close_effect('r1:refund', 1)`)).toBe(false);
  expect(await ask(`ledger.close_effect('r1:refund', 0)`)).toBe(true);
  expect(await ask(`ledger.close_effect('r1:follow_refund', 0)`)).toBe(false);
  await ownerSql`update ledger.refund_history set status = 'completed', settled_at = now() where refund_id = 'r1'`;
  expect(await ask(`ledger.close_effect('r1:follow_refund', 0)`)).toBe(true);
});

test('an append closes only effects of its own order', async () => {
  const [definition] = await ownerSql<{ text: string }[]>`
    select pg_get_functiondef('ledger.append_to_order'::regproc) as text`;
  expect(definition?.text).toContain('effect.key = any (p_close_effects) and effect.order_id = p_order_id');
});

test('a notification must be taken before it counts as processed', async () => {
  const [row] = await attacker`select ledger.settle_hint('e1') as settled`;
  expect(row).toEqual({ settled: false });
});

test('a postponed job is due after a day at most', async () => {
  await attacker`select ledger.postpone_job('seal', 86400)`;
  const [row] =
    await ownerSql`select due_at <= clock_timestamp() + interval '1 day' as soon from ledger.job where name = 'seal'`;
  expect(row).toEqual({ soon: true });
});

test('the nightly verification may store its result, and write nothing else', async () => {
  const sql = open(verifier);
  await sql`select ledger.remember_verification('{"faults":0}')`;
  const address = Object.assign(new URL(url), { username: verifier, password: 'rugs' }).href;
  expect((await verifyLedger({ url: address, verifiers: [], onProgress: () => {} })).faults).toEqual([]);
  // Digests of accounts, and the ids of orders with rows.
  expect(await checkAccess(sql)).toMatchObject({ faults: [] });
  expect(await checkTraces(sql)).toBeDefined();
  const [sequence] = await sql`select has_sequence_privilege('ledger.event_position_seq', 'select') as may`;
  expect(sequence).toEqual({ may: true });
  await sql`select ledger.compare_cluster()`;
  for (const statement of [
    `select ledger.remember_comparison('books', '{}')`,
    'select * from ledger.customer_contact',
    'select salt from ledger.refund_text',
    "select admin.password_of('ada')",
    "select ledger.take_job('seal', 60)",
    'select * from admin.account',
  ]) {
    await expect(sql.unsafe(statement)).rejects.toMatchObject({ code: '42501' });
  }
});

describe('an owner who is no superuser', async () => {
  const blank = await blankDatabase();
  afterAll(blank.drop);

  test('migrates an empty database, and prepares a login for servers', async () => {
    const name = new URL(blank.url).pathname.slice(1);
    const owner = `owner_of_${name}`.slice(0, 60);
    const server = `server_of_${name}`.slice(0, 60);
    // A superuser migrated another database of this cluster, so the roles exist.
    await blank.sql.unsafe(`
      create role ${owner} login createrole password 'rugs';
      grant kilim_report, kilim_server, kilim_verifier to ${owner} with admin option;
      alter database ${name} owner to ${owner}`);
    const ownerUrl = Object.assign(new URL(blank.url), { username: owner, password: 'rugs' }).href;
    const ownerSql = connect({ url: ownerUrl, max: 1, applicationName: 'kilim owner' });
    try {
      await ownerSql.unsafe(`create role ${server} login password 'rugs'`);
      await migrate({ url: ownerUrl });
      expect(await prepareLogin(ownerUrl, server)).toHaveLength(1);
      const [member] = await blank.sql`select pg_has_role(${server}, 'kilim_server', 'member') as server`;
      expect(member).toEqual({ server: true });
    } finally {
      await ownerSql.end();
      await blank.sql.unsafe(`
        drop owned by ${server}; drop role ${server};
        reassign owned by ${owner} to current_user; drop owned by ${owner}; drop role ${owner}`);
    }
  });
});
