import type { AdminEvent } from '@kilim/domain/people/people';
import { ok, type Result, rejected } from '@kilim/domain/result';
import { testDatabase } from '@kilim/lab/testing/postgres';
import { expect, test } from 'vitest';
import { adminCodec } from './codecs/admin.ts';
import { handle, streamTarget, type Target } from './handle.ts';
import { sha256 } from './hash.ts';
import { readStream, type Stream } from './read.ts';

const { appSql: sql } = await testDatabase();
const world = { sql, now: () => new Date('2026-10-05T12:00:00Z') };

type Events = Stream<AdminEvent>;
type AdminTarget = Target<Events, AdminEvent, { readonly version: number }>;

let streams = 0;

function newTarget(): AdminTarget {
  streams += 1;
  const kind = { streamId: `admin-${streams}`, codec: adminCodec };
  return streamTarget(sql, kind, () => readStream(sql, kind));
}

function changeOnce(): (stream: Events) => Result<readonly AdminEvent[], 'Refused'> {
  return ({ version }) =>
    ok(version === 0 ? [{ type: 'PasswordChanged', username: 'ada', how: 'changed', endedSessions: 0 }] : []);
}

const changeAgain = ({ version }: Events): Result<readonly AdminEvent[], 'Refused'> =>
  ok([{ type: 'PasswordChanged', username: 'ada', how: 'changed', endedSessions: version }]);

const by = { actor: 'admin:ada', requestId: undefined } as const;
const requestHash = sha256('the request');

/** Loses the answer of the first append. */
function losingAnswer(target: AdminTarget): AdminTarget {
  let isLost = false;
  return {
    ...target,
    append: async (seen, recording) => {
      const result = await target.append(seen, recording);
      if (isLost) return result;
      isLost = true;
      throw Object.assign(new Error('The connection was lost'), { code: 'CONNECTION_CLOSED' });
    },
  };
}

test('commands that race decide again on the newest events, until each is recorded', async () => {
  const target = newTarget();
  const handled = await Promise.all(
    Array.from({ length: 6 }, (_, index) =>
      handle(world, target, { ...by, commandId: `race-${index}`, mostConflicts: 40, decide: changeAgain }),
    ),
  );
  expect(handled.map(({ outcome }) => outcome)).toEqual(Array(6).fill('recorded'));
  const { events } = await target.read();
  expect(events.map(({ event }) => 'endedSessions' in event && event.endedSessions)).toEqual([0, 1, 2, 3, 4, 5]);
});

test('a command that loses every race gives up, and may succeed later', async () => {
  const target = newTarget();
  await handle(world, target, { ...by, commandId: 'winner', decide: changeOnce() });
  const stale = { ...target, read: async () => ({ version: 0, events: [] }) };
  const lost = handle(world, stale, { ...by, commandId: 'loser', mostConflicts: 2, decide: changeOnce() });
  await expect(lost).rejects.toMatchObject({ code: 'TOO_MANY_CONFLICTS' });
});

test('the first try decides on the known stream, and the next one reads', async () => {
  const target = newTarget();
  const known = await target.read();
  await handle(world, target, { ...by, commandId: 'between', decide: changeAgain });
  const seen: number[] = [];
  const handled = await handle(
    world,
    { ...target, known },
    {
      ...by,
      commandId: 'on-known',
      decide: (stream) => {
        seen.push(stream.version);
        return changeAgain(stream);
      },
    },
  );
  expect([handled.outcome, handled.stream.version, seen]).toEqual(['recorded', 2, [0, 1]]);
});

test('a refused command appends nothing', async () => {
  const target = newTarget();
  const handled = await handle(world, target, { ...by, commandId: 'refused', decide: () => rejected('Refused') });
  expect(handled).toMatchObject({ outcome: 'refused', rejection: 'Refused' });
  expect((await target.read()).version).toBe(0);
});

test('an append whose answer is lost is recorded once', async () => {
  const target = newTarget();
  const command = { ...by, commandId: 'lost-answer', decide: changeOnce() };
  expect(await handle(world, losingAnswer(target), command)).toMatchObject({ outcome: 'repeated', mayBeOwn: true });
  expect((await target.read()).version).toBe(1);
});

test("a client's command that is sent again is repeated, and is not taken for this call's own", async () => {
  const target = newTarget();
  const command = { ...by, requestHash, commandId: 'sent-again', decide: changeOnce() };
  expect(await handle(world, target, command)).toMatchObject({ outcome: 'recorded' });
  expect(await handle(world, target, command)).toMatchObject({
    outcome: 'repeated',
    streamId: target.streamId,
    mayBeOwn: false,
    stream: { version: 1 },
  });
});

test("a client's append whose answer is lost may be this call's own", async () => {
  const command = { ...by, requestHash, commandId: 'lost-to-client', decide: changeOnce() };
  expect(await handle(world, losingAnswer(newTarget()), command)).toMatchObject({
    outcome: 'repeated',
    mayBeOwn: true,
    stream: { version: 1 },
  });
});

test('another request under the same id is refused, whether or not there is something to record', async () => {
  const target = newTarget();
  const command = { ...by, commandId: 'reused', decide: changeOnce() };
  await handle(world, target, { ...command, requestHash });
  const another = { ...command, requestHash: sha256('another request') };
  expect(await handle(world, target, another)).toMatchObject({ outcome: 'reused' });
  expect(await handle(world, newTarget(), another)).toMatchObject({ outcome: 'reused' });
});

test('the same request in another stream names the stream that recorded it', async () => {
  const first = newTarget();
  const command = { ...by, requestHash, commandId: 'elsewhere', decide: changeOnce() };
  await handle(world, first, command);
  expect(await handle(world, newTarget(), command)).toMatchObject({ outcome: 'repeated', streamId: first.streamId });
});
