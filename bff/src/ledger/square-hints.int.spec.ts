import { afterEach, expect, test } from 'vitest';
import { testDatabase } from '../testing/postgres.ts';
import { forgetOldHints, keepHint, leaseHints, type ReceivedHint, releaseHint, settleHint } from './square-hints.ts';

const { appSql, ownerSql } = await testDatabase();
afterEach(() => ownerSql`delete from ledger.square_hint`);

const updated: ReceivedHint = {
  eventId: 'e-1',
  eventType: 'payment.updated',
  subject: 'payment',
  squareId: 'sq-payment-1',
};

test('an event is kept once, however often and however simultaneously Square tells it', async () => {
  const kept = await Promise.all(Array.from({ length: 8 }, () => keepHint(appSql, updated)));
  expect(kept.filter((isNew) => isNew)).toHaveLength(1);
  expect(await ownerSql`select event_id from ledger.square_hint`).toHaveLength(1);
});

test('of two processes that look at once, each gets other hints', async () => {
  for (const eventId of ['e-1', 'e-2', 'e-3', 'e-4']) await keepHint(appSql, { ...updated, eventId });
  const [here, there] = await Promise.all([
    leaseHints(appSql, { most: 2, leaseSeconds: 30 }),
    leaseHints(appSql, { most: 2, leaseSeconds: 30 }),
  ]);
  const leased = [...here, ...there].map(({ eventId }) => eventId);
  expect(new Set(leased).size).toBe(leased.length);
  const rest = await leaseHints(appSql, { most: 4, leaseSeconds: 30 });
  expect([...leased, ...rest.map(({ eventId }) => eventId)].toSorted()).toEqual(['e-1', 'e-2', 'e-3', 'e-4']);
});

test('a hint whose process died is due again when its lease ends, with one more try', async () => {
  await keepHint(appSql, updated);
  const { eventId, subject, squareId } = updated;
  expect(await leaseHints(appSql, { most: 4, leaseSeconds: 0 })).toEqual([{ eventId, subject, squareId, tries: 1 }]);
  expect(await leaseHints(appSql, { most: 4, leaseSeconds: 30 })).toMatchObject([{ tries: 2 }]);
  expect(await leaseHints(appSql, { most: 4, leaseSeconds: 30 })).toEqual([]);
});

test('a released hint is due again after its delay, a settled one never', async () => {
  await keepHint(appSql, updated);
  await leaseHints(appSql, { most: 1, leaseSeconds: 30 });
  await releaseHint(appSql, 'e-1', 60);
  expect(await leaseHints(appSql, { most: 1, leaseSeconds: 30 })).toEqual([]);
  await releaseHint(appSql, 'e-1', 0);
  expect(await leaseHints(appSql, { most: 1, leaseSeconds: 30 })).toHaveLength(1);
  await settleHint(appSql, 'e-1');
  await releaseHint(appSql, 'e-1', 0);
  expect(await leaseHints(appSql, { most: 1, leaseSeconds: 30 })).toEqual([]);
  expect(await keepHint(appSql, updated)).toBe(false);
});

test('only what was followed more than thirty days ago is forgotten', async () => {
  for (const eventId of ['e-old', 'e-recent', 'e-open']) await keepHint(appSql, { ...updated, eventId });
  await ownerSql`
    update ledger.square_hint
    set received_at = now() - interval '40 days',
      handled_at = case event_id when 'e-old' then now() - interval '31 days' when 'e-recent' then now() - interval '29 days' end`;
  expect(await forgetOldHints(appSql)).toBe(1);
  const left = await ownerSql<{ event_id: string }[]>`select event_id from ledger.square_hint order by event_id`;
  expect(left.map(({ event_id }) => event_id)).toEqual(['e-open', 'e-recent']);
});

test('the application can neither delete a hint nor change what Square told', async () => {
  await keepHint(appSql, updated);
  await expect(appSql`delete from ledger.square_hint`).rejects.toThrow('permission denied');
  await expect(appSql`update ledger.square_hint set square_id = 'other'`).rejects.toThrow('permission denied');
});
