import { generateKeyPairSync } from 'node:crypto';
import { parseDay } from '@kilim/domain/day';
import { testDatabase } from '@kilim/lab/testing/postgres';
import { settled } from '@kilim/lab/testing/settled';
import { openShop, paid, paymentFor, quoted } from '@kilim/lab/testing/shop';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { closePeriod } from '../../accounting/use-case/close-period.ts';
import { roundOf, startJob } from '../../core/background/job.ts';
import { createLogger } from '../../core/runtime/logger.ts';
import { seal } from '../checkpoint.ts';
import { ledgerSigner } from '../signing-key.ts';
import type { NoteToSend, Witness } from '../witness/witness.ts';
import { readWitnessAges } from '../witness/witnessed.ts';
import { noteRounds, sendingNotes, tellingOfLateNotes } from './send-notes.ts';

const signer = ledgerSigner(
  generateKeyPairSync('ed25519').privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
  'Test',
);
const { appSql: sql, ownerSql } = await testDatabase();
const shop = await openShop(sql);
afterAll(shop.close);
const lines: string[] = [];
const log = createLogger({ level: 'info', destination: { write: (line) => void lines.push(line) } });

function recording(to: string, options: { fails?: boolean } = {}) {
  const got: NoteToSend[] = [];
  const witness: Witness = {
    kind: 'mail',
    to,
    send: async (note) => {
      if (options.fails === true) throw new Error('The witness answered 500.');
      got.push(note);
      return 'kept';
    },
  };
  return { ...witness, got, options };
}

async function later(hours: number): Promise<void> {
  await ownerSql.begin(async (owner) => {
    await owner`alter table ledger.witnessed disable trigger all`;
    await owner`alter table ledger.checkpoint disable trigger all`;
    await owner`update ledger.witnessed set sent_at = sent_at - make_interval(hours => ${hours}::int)`;
    await owner`update ledger.checkpoint set sealed_at = sealed_at - make_interval(hours => ${hours}::int)`;
    await owner`alter table ledger.witnessed enable always trigger witnessed_is_append_only`;
    await owner`alter table ledger.witnessed enable always trigger witnessed_is_never_truncated`;
    await owner`alter table ledger.checkpoint enable always trigger checkpoint_is_append_only`;
    await owner`update ledger.job set due_at = due_at - make_interval(hours => ${hours}::int)`;
  });
}

async function sealed(): Promise<number> {
  await paid(shop, paymentFor(await quoted(shop)));
  await settled(sql);
  return (await seal(sql, signer))?.sequence ?? 0;
}

const age = async (witness: Witness) => (await readWitnessAges(sql, [witness]))[0];
const dueInSeconds = async () => {
  const [job] = await sql<{ seconds: number }[]>`
    select extract(epoch from due_at - clock_timestamp())::float8 as seconds from ledger.job
    where name = 'witness-mail'`;
  return job?.seconds ?? 0;
};

beforeAll(async () => void (await sealed()));
beforeEach(async () => {
  lines.splice(0);
  // Without the job, a witness is due.
  await ownerSql`delete from ledger.job`;
});

async function newest(): Promise<number> {
  const [row] = await sql<{ sequence: number }[]>`select max(sequence) as sequence from ledger.checkpoint`;
  return row?.sequence ?? 0;
}

test('of several servers, one sends the newest note to a new witness immediately', async () => {
  const witness = recording('new.example');
  const servers = [1, 2, 3].map(() => noteRounds({ sql, log }, [witness]));
  await Promise.all(servers.map((round) => round()));
  for (const round of servers) await round();
  expect(witness.got).toEqual([
    { sequence: await newest(), note: expect.stringMatching(/^kilim\/ledger\n[1-9]\d*\n/) },
  ]);
  expect(await age(witness)).toMatchObject({ last: { sequence: await newest() }, isLate: false });
  expect(await sql`select sent_to, receipt from ledger.witnessed where sent_to = 'new.example'`).toEqual([
    { sent_to: 'new.example', receipt: 'kept' },
  ]);
});

test('a day later it gets the newest note, also when the ledger did not change', async () => {
  const witness = recording('daily.example');
  await noteRounds({ sql, log }, [witness])();
  await later(23);
  await noteRounds({ sql, log }, [witness])();
  expect(witness.got).toHaveLength(1);
  await later(2);
  // A restarted server remembers nothing itself.
  await noteRounds({ sql, log }, [witness])();
  expect(witness.got.map(({ sequence }) => sequence)).toEqual([await newest(), await newest()]);
});

test('a closing leaves as soon as it is sealed, and other seals wait for the day', async () => {
  const witness = recording('closing.example');
  const round = noteRounds({ sql, log }, [witness]);
  await round();
  const other = await sealed();
  await round();
  expect(witness.got).toHaveLength(1);
  const { now } = shop.world;
  const world = { sql, log, now, timeZone: 'America/Los_Angeles', signer };
  const january = parseDay('2020-01-31');
  if (january === undefined) throw new Error('not a day');
  const closed = await closePeriod(world, january, { by: 'ada', requestId: 'r' });
  expect(closed.ok).toBe(true);
  await settled(sql);
  await seal(sql, signer);
  await round();
  await round();
  expect(witness.got).toHaveLength(2);
  expect(witness.got[1]?.sequence).toBeGreaterThan(other);
});

test('a failing witness is tried again after longer and longer pauses, and does not stop the others', async () => {
  const [failing, other] = [recording('failing.example', { fails: true }), recording('other.example')];
  const round = noteRounds({ sql, log }, [failing, { ...other, kind: 'timestamp' }]);
  const pauses: number[] = [];
  for (let tries = 0; tries < 8; tries += 1) {
    await ownerSql`update ledger.job set due_at = clock_timestamp() where name = 'witness-mail'`;
    await round();
    pauses.push(Math.round((await dueInSeconds()) / 60));
    await round();
  }
  expect(pauses).toEqual([1, 2, 4, 8, 16, 32, 60, 60]);
  expect(lines.filter((line) => line.includes('could not be sent'))).toHaveLength(8);
  expect(lines.join('')).toContain('The witness answered 500.');
  expect(other.got).toHaveLength(1);
  failing.options.fails = false;
  await ownerSql`update ledger.job set due_at = clock_timestamp() where name = 'witness-mail'`;
  await round();
  expect(failing.got).toHaveLength(1);
});

test('more than 26 hours without a note are reported, also when the witness never got one', async () => {
  const witness = recording('late.example', { fails: true });
  const round = noteRounds({ sql, log }, [witness]);
  const tell = roundOf({ sql, log }, tellingOfLateNotes({ sql, log }, [witness]));
  await later(30);
  await round();
  await tell();
  expect(await age(witness)).toMatchObject({ last: undefined, isLate: true });
  const alarms = () => lines.filter((line) => line.includes('no note for more than 26 hours'));
  expect(alarms()).toHaveLength(1);
  expect(JSON.parse(alarms()[0] ?? '')).toMatchObject({ to: 'late.example', level: 'error' });
  await tell();
  expect(alarms()).toHaveLength(1);
});

test('a witness that does not answer does not delay the stop of the server', async () => {
  const called = Promise.withResolvers<void>();
  const send = () => {
    called.resolve();
    return new Promise<string>(() => undefined);
  };
  const witnesses = [{ kind: 'mail' as const, to: 'silent.example', send }];
  const sending = startJob({ sql, log }, sendingNotes({ sql, log }, witnesses, 50));
  await called.promise;
  await sending.stop();
});

test('what was sent is never changed, and a server cannot date it back', async () => {
  await expect(ownerSql`update ledger.witnessed set receipt = 'other'`).rejects.toThrow(/append-only/);
  await expect(ownerSql`truncate ledger.witnessed`).rejects.toThrow(/append-only/);
  await expect(
    sql`insert into ledger.witnessed (kind, sent_to, sequence, receipt) values ('mail', 'a', 1, 'r')`,
  ).rejects.toThrow(/permission denied/);
});
