import { cents } from '@kilim/domain/money';
import { refundStanding } from '@kilim/domain/projection/order-summary';
import { testDatabase } from '@kilim/lab/testing/postgres';
import { expect, test } from 'vitest';

const { ownerSql } = await testDatabase();

const amounts = [0, 1, 2, 99, 100, 101, 51_600, 75_822];

test('`ledger.refund_status` has the rule of the domain for all amounts', async () => {
  const rows = await ownerSql<{ pending: number; refunded: number; captured: number; status: string }[]>`
    with amount as (select unnest(${ownerSql.typed.textArray(amounts)}::bigint[]) as cents)
    select pending.cents as pending, refunded.cents as refunded, captured.cents as captured,
      ledger.refund_status(pending.cents, refunded.cents, captured.cents) as status
    from amount pending, amount refunded, amount captured`;
  expect(rows.length).toBe(amounts.length ** 3);
  const expected = rows.map(({ pending, refunded, captured }) =>
    refundStanding({ captured: cents(captured), refundPending: cents(pending), refunded: cents(refunded) }),
  );
  expect(rows.map(({ status }) => status)).toEqual(expected);
});
