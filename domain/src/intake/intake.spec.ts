import { describe, expect, test } from 'vitest';
import type { Day } from '../day.ts';
import { cents } from '../money.ts';
import type { MeasuredSize, OrderEvent, OrderPlaced } from '../order/events.ts';
import type { OrderId } from '../order/ids.ts';
import { builtInRates } from '../rates.ts';
import { side } from '../rug.ts';
import {
  authorizedA,
  capturedA,
  differenceWaivedA,
  handedOverA,
  orderA,
  orderAPlaced,
  orderReadyA,
  rugsReceivedA,
  startedA,
  supplementA,
} from '../testing/orders.ts';
import { differenceOf } from './difference.ts';
import { evolve, evolveMoney, type Family, noMoney, notReceived } from './family.ts';
import { decide, type IntakeCommand, payable, undoableSteps } from './intake.ts';

const paid = [orderAPlaced, startedA, authorizedA, capturedA] as const;
const { sizes } = rugsReceivedA;
const larger = [{ width: side(8, 6), length: side(10, 6) }, ...sizes.slice(1)];
const measuredLarger = { ...rugsReceivedA, sizes: larger };
const today = '2026-11-28' as Day;

function familyOf(events: readonly OrderEvent[], supplement: readonly OrderEvent[] = []): Family {
  return {
    order: events.reduce(evolve, notReceived),
    supplements: new Map(supplement.length === 0 ? [] : [[supplementA, supplement.reduce(evolveMoney, noMoney)]]),
  };
}

const given = (...events: readonly OrderEvent[]) => ({
  when: (command: IntakeCommand) => decide(command, familyOf(events), builtInRates),
});
const receive = (measured: readonly MeasuredSize[]): IntakeCommand => ({ type: 'Receive', sizes: measured });
const due = differenceOf(familyOf([...paid, measuredLarger]), builtInRates)?.due ?? cents(0);
const asked = {
  type: 'Ask',
  supplementId: supplementA,
  expiresOn: '2026-12-28' as Day,
  measurement: 1,
  amount: due,
} as const;
const [request] = allowed(given(...paid, measuredLarger).when(asked));

function allowed(decided: ReturnType<typeof decide>): readonly OrderEvent[] {
  if (!decided.ok) throw new Error(decided.rejection.code);
  return decided.value;
}

describe('a step', () => {
  test.each<[string, readonly OrderEvent[], IntakeCommand]>([
    ['NotPaid', [orderAPlaced, startedA], receive(sizes)],
    ['OtherRugs', paid, receive(sizes.slice(1))],
    ['InvalidRug', paid, receive([{ width: side(0, 0), length: side(8, 0) }, ...sizes.slice(1)])],
    ['HandedOver', [...paid, rugsReceivedA, orderReadyA, handedOverA], receive(larger)],
    ['NotReceived', paid, { type: 'MarkReady' }],
    ['NotReady', [...paid, rugsReceivedA], { type: 'HandOver' }],
    ['DifferenceChanged', [...paid, measuredLarger], { ...asked, amount: cents(due - 1) }],
    ['DifferenceChanged', [...paid, measuredLarger, measuredLarger], asked],
    ['DifferenceChanged', [...paid, rugsReceivedA], { ...asked, amount: cents(0) }],
    ['NothingToUndo', [...paid, rugsReceivedA, orderReadyA], { type: 'Undo', step: 'received' }],
    ['NothingToUndo', [...paid, rugsReceivedA, orderReadyA, handedOverA], { type: 'Undo', step: 'ready' }],
    ['NothingToUndo', [...paid, measuredLarger, differenceWaivedA, measuredLarger], { type: 'Undo', step: 'waived' }],
  ])('is refused with %s', (code, events, command) => {
    expect(given(...events).when(command)).toMatchObject({ ok: false, rejection: { code } });
  });

  test('of a supplement is refused: it has no rugs of its own', () => {
    const supplement: OrderPlaced = {
      ...orderAPlaced,
      supplementOf: '0199d5a0-7c00-7000-8000-00000000000f' as OrderId,
    };
    const events = [supplement, startedA, authorizedA, capturedA];
    expect(given(...events).when(receive(sizes))).toMatchObject({ ok: false, rejection: { code: 'IsSupplement' } });
  });

  test('once more records nothing', () => {
    const done = [...paid, rugsReceivedA, orderReadyA, handedOverA];
    for (const command of [receive(sizes), { type: 'MarkReady' }, { type: 'HandOver' }] as const) {
      expect(given(...done).when(command)).toEqual({ ok: true, value: [] });
    }
  });

  test('is undone from the latest on', () => {
    const steps = [rugsReceivedA, orderReadyA, handedOverA];
    const undoable = steps.map((_, index) => undoableSteps(familyOf([...paid, ...steps.slice(0, index + 1)]).order));
    expect(undoable).toEqual([['received'], ['ready'], ['handed-over']]);
  });
});

describe('a request to pay', () => {
  if (request?.type !== 'SupplementRequested') throw new Error('Nothing was asked for');
  const open = [...paid, measuredLarger, request];
  const pay = (family: Family, day = today) => payable(family, supplementA, { rates: builtInRates, today: day });

  test('costs what is due, until its last day', () => {
    expect(request.amount).toBe(due);
    for (const day of [today, request.expiresOn]) {
      expect(pay(familyOf(open), day)).toMatchObject({ ok: true, value: { total: due } });
    }
    const late = pay(familyOf(open), '2026-12-29' as Day);
    expect(late).toMatchObject({ ok: false, rejection: { code: 'Expired' } });
  });

  test('is withdrawn by a new measurement and by a waiver, which a new request takes back', () => {
    const withdrawn = { type: 'SupplementWithdrawn', supplementId: supplementA };
    expect(allowed(given(...open).when(receive(sizes)))[0]).toEqual(withdrawn);
    const waived = allowed(given(...open).when({ type: 'Waive', reason: 'Goodwill', measurement: 1, amount: due }));
    expect(waived.map(({ type }) => type)).toEqual(['SupplementWithdrawn', 'DifferenceWaived']);
    expect(pay(familyOf([...open, ...waived]))).toMatchObject({ ok: false, rejection: { code: 'Withdrawn' } });
    const again = allowed(given(...open, ...waived).when(asked));
    expect(again.map(({ type }) => type)).toEqual(['StepUndone', 'SupplementRequested']);
  });

  test('lets nobody measure, withdraw or waive while the customer pays', () => {
    const paying = familyOf(open, [{ ...orderAPlaced, orderId: supplementA, supplementOf: orderA }, startedA]);
    const commands: readonly IntakeCommand[] = [
      receive(sizes),
      { type: 'Withdraw' },
      { type: 'Waive', reason: 'Goodwill', measurement: 1, amount: due },
      { type: 'Undo', step: 'received' },
    ];
    for (const command of commands) {
      expect(decide(command, paying, builtInRates)).toMatchObject({
        ok: false,
        rejection: { code: 'CustomerIsPaying' },
      });
    }
  });
});
