import { expect, test } from 'vitest';
import type { Day } from '../day.ts';
import { cents } from '../money.ts';
import { decider } from '../testing/given-when.ts';
import {
  authorizedA,
  capturedA,
  disputeOpenedA,
  disputeWonA,
  orderAPlaced,
  pickupAgreedA,
  refundOfFirstRug,
  reimbursedA,
  startedA,
  totalA,
} from '../testing/orders.ts';
import type { OrderEvent } from './events.ts';
import { type AgreePickup, decide, evolve, nothingAgreed, type PickupRejection, type PickupState } from './pickup.ts';

const concern = { initial: nothingAgreed, evolve, decide };
const { given } = decider<PickupState, OrderEvent, AgreePickup, PickupRejection>(concern);
const today = '2026-11-25' as Day;
const friday: AgreePickup = { day: '2026-11-27' as Day, window: 'morning', today };
const unpaid = [orderAPlaced, startedA, authorizedA] as const;
const paid = [...unpaid, capturedA] as const;

test('a paid pickup is agreed on a day and a time', () => {
  expect(given(...paid).when(friday)).toEqual({ ok: true, value: [pickupAgreedA] });
  for (const since of [[refundOfFirstRug], [disputeOpenedA], [disputeOpenedA, disputeWonA]]) {
    expect(given(...paid, ...since).when({ ...friday, day: today })).toMatchObject({ ok: true });
  }
});

test('the same day and time once more record nothing; another day, another time and the first one again do', () => {
  const agreed = given(...paid, pickupAgreedA);
  expect(agreed.when(friday)).toEqual({ ok: true, value: [] });
  const evening = { ...pickupAgreedA, window: 'evening' } as const;
  expect(agreed.when({ ...friday, window: 'evening' })).toEqual({ ok: true, value: [evening] });
  expect(given(...paid, pickupAgreedA, evening).when(friday)).toEqual({ ok: true, value: [pickupAgreedA] });
});

test.each<readonly [string, readonly OrderEvent[]]>([
  ['NotPickup', [{ ...orderAPlaced, deliveryOption: 'dropoff' as const }, startedA, authorizedA, capturedA]],
  ['NotPickup', []],
  ['NotPaid', unpaid],
  ['FullyRefunded', [...paid, { ...reimbursedA, amount: totalA }]],
  ['FullyRefunded', [...paid, { ...refundOfFirstRug, amount: cents(75_822) }]],
  ['DisputeLost', [...paid, disputeOpenedA, { ...disputeWonA, outcome: 'lost' as const }]],
])('%s refuses a pickup', (code, history) => {
  expect(given(...history).when(friday)).toEqual({ ok: false, rejection: { code } });
});

test('a day before today is over', () => {
  const tomorrow = { ...friday, today: '2026-11-28' as Day };
  expect(given(...paid).when(tomorrow)).toEqual({
    ok: false,
    rejection: { code: 'PastPickupDay', today: '2026-11-28' },
  });
});
