import { newBooks } from '@kilim/domain/accounting/books';
import { parseDay } from '@kilim/domain/day';
import { testDatabase } from '@kilim/lab/testing/postgres';
import { settled } from '@kilim/lab/testing/settled';
import { openShop, paid, paymentFor, quoted } from '@kilim/lab/testing/shop';
import { appendOrphan } from '@kilim/lab/testing/worked-month';
import { afterAll, expect, test } from 'vitest';
import { lastSeconds } from '../../core/background/background-work.ts';
import { roundOf } from '../../core/background/job.ts';
import { reconcileWeeks } from '../../core/background/reconcile-weeks.ts';
import { askForCheck, checkingLedger } from '../../proof/background/check-ledger.ts';
import { compareBooks } from './compare-books.ts';
import { readChecklist } from './read-checklist.ts';

const { appSql: sql } = await testDatabase();
const shop = await openShop(sql);
afterAll(shop.close);

async function checkAll(): Promise<void> {
  const { log } = shop.world;
  await settled(sql);
  await reconcileWeeks(shop.world, lastSeconds(new Date(), 3600));
  await compareBooks(sql, new Date());
  await askForCheck(sql);
  await roundOf({ sql, log }, checkingLedger({ sql, log, withReader: (use) => use(sql) }, undefined))();
}

async function openAfterChecks(): Promise<readonly string[]> {
  const through = parseDay('2026-10-31');
  if (through === undefined) throw new Error('This is a day');
  const checks = await readChecklist({ sql, timeZone: 'America/Los_Angeles' }, newBooks, through);
  const made = ['compared', 'clearing', 'verified'];
  return checks.filter(({ point, state }) => made.includes(point) && state === 'open').map(({ point }) => point);
}

test('a check counts until an event of the period is recorded after it', async () => {
  expect(await openAfterChecks()).toEqual(['compared', 'clearing', 'verified']);
  await checkAll();
  expect(await openAfterChecks()).toEqual([]);
  // It is not of the period.
  await paid(shop, paymentFor(await quoted(shop)));
  expect(await openAfterChecks()).toEqual([]);
  await appendOrphan(sql, '2026-10-31T12:00:00-07:00');
  expect(await openAfterChecks()).toEqual(['compared', 'clearing', 'verified']);
  await checkAll();
  expect(await openAfterChecks()).toEqual([]);
});
