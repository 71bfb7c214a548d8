import { testDatabase } from '@kilim/lab/testing/postgres';
import { afterEach, expect, test } from 'vitest';
import {
  forgetOldHints,
  keepHint,
  type ReceivedHint,
  readOpenHints,
  releaseHint,
  settleHint,
  takeHint,
} from './square-hints.ts';

const { appSql, ownerSql } = await testDatabase();
afterEach(() => ownerSql`delete from ledger.square_hint`);

const updated: ReceivedHint = {
  eventId: 'e-1',
  eventType: 'payment.updated',
  subject: 'payment',
  squareId: 'sq-payment-1',
};

test('an event is kept once, however often Square sends it, also at the same time', async () => {
  const kept = await Promise.all(Array.from({ length: 8 }, () => keepHint(appSql, updated)));
  expect(kept.filter((isNew) => isNew)).toHaveLength(1);
  expect(await ownerSql`select event_id from ledger.square_hint`).toHaveLength(1);
});

const seen = async () => readOpenHints(appSql);

test('of several processes that take hints, each gets other hints', async () => {
  for (const eventId of ['e-1', 'e-2', 'e-3', 'e-4']) await keepHint(appSql, { ...updated, eventId });
  const hints = await seen();
  const taken = await Promise.all([...hints, ...hints].map((hint) => takeHint(appSql, hint)));
  const won = taken.flatMap((hint) => (hint === undefined ? [] : hint.eventId));
  expect(won.toSorted()).toEqual(['e-1', 'e-2', 'e-3', 'e-4']);
});

test('a taken hint has a lease, and counts its tries', async () => {
  await keepHint(appSql, updated);
  const [fresh] = await seen();
  expect(fresh).toMatchObject({ tries: 0, waitSeconds: 0 });
  if (fresh !== undefined) await takeHint(appSql, fresh);
  expect(await seen()).toMatchObject([{ eventId: 'e-1', tries: 1, waitSeconds: 10 }]);
});

test('a released hint can be taken after its delay, and a settled one never', async () => {
  await keepHint(appSql, updated);
  await releaseHint(appSql, 'e-1', 60);
  expect(await seen()).toMatchObject([{ waitSeconds: 60 }]);
  const [open] = await seen();
  if (open !== undefined) await takeHint(appSql, open);
  await settleHint(appSql, 'e-1');
  await releaseHint(appSql, 'e-1', 0);
  expect(await seen()).toEqual([]);
  expect(await keepHint(appSql, updated)).toBe(false);
});

test('only hints that were processed more than thirty days ago are deleted', async () => {
  for (const eventId of ['e-old', 'e-recent', 'e-open']) await keepHint(appSql, { ...updated, eventId });
  await ownerSql`
    update ledger.square_hint
    set received_at = now() - interval '40 days',
      handled_at = case event_id when 'e-old' then now() - interval '31 days' when 'e-recent' then now() - interval '29 days' end`;
  expect(await forgetOldHints(appSql)).toBe(1);
  const left = await ownerSql<{ event_id: string }[]>`select event_id from ledger.square_hint order by event_id`;
  expect(left.map(({ event_id }) => event_id)).toEqual(['e-open', 'e-recent']);
});

test('the application can neither delete a hint nor change its content', async () => {
  await keepHint(appSql, updated);
  await expect(appSql`delete from ledger.square_hint`).rejects.toThrow('permission denied');
  await expect(appSql`update ledger.square_hint set square_id = 'other'`).rejects.toThrow('permission denied');
});
