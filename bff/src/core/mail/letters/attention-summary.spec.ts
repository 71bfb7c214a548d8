import { cents } from '@kilim/domain/money';
import { orderA } from '@kilim/domain/testing/orders';
import { expect, test } from 'vitest';
import type { NeedsAttention } from '../../queries/read-attention.ts';
import { render } from '../render.ts';
import { attentionSummary } from './attention-summary.ts';

const orderB = `${orderA.slice(0, -1)}b`;
const noon = new Date('2026-11-24T20:00:00Z');
const office = { todayUrl: 'https://office.example/admin/today', timeZone: 'America/Los_Angeles' };

function item(kind: NeedsAttention['kind'], more: Partial<NeedsAttention> = {}): NeedsAttention {
  return { kind, id: kind, orderId: orderA, amount: null, since: noon, dueAt: null, code: null, ...more };
}

test('each kind is one line with its count and amount, the most urgent first', () => {
  const letter = attentionSummary({
    ofOrders: [
      item('mail-undelivered'),
      item('dispute-open', { amount: cents(10_000), dueAt: new Date('2026-12-08T00:00:00Z') }),
      item('dispute-open', { orderId: orderB, amount: cents(5_000), dueAt: new Date('2026-12-01T00:00:00Z') }),
      item('refund-failed', { amount: cents(8_000) }),
      item('payment-risky', { amount: cents(7_000) }),
    ],
    ofRooms: [
      { kind: 'limits-unproven', count: 1 },
      { kind: 'books-differ', count: 2 },
      { kind: 'witness-missing', count: 1 },
    ],
    lateJobs: [{ name: 'seal', meaning: 'The daily proof of the records is not sent to anybody outside.' }],
    isIncomplete: true,
    ...office,
  });
  expect(letter?.subject).toBe('Needs attention: 1 limit change that no server recorded, and more');
  const { text } = render(letter ?? { subject: '', heading: '', parts: [] }, { name: 'Rugs', phone: '' });
  expect(text).toContain(`- 1 limit change that no server recorded
- 1 payment may be fraud, says Square, $70.00 (order 0000-00AC). Call the customer before you collect the rugs or give them back.
- 1 refund failed, $80.00 (order 0000-00AC). Give the money back another way, and record it on the order.
- 2 payments are disputed by banks, $150.00, evidence is due by November 30, 2026 (orders 0000-00AC, 0000-00BA). Send your evidence in the Square dashboard.
- 1 email waits for a decision (order 0000-00AC). Send it again on the page Today, or reach the person another way.
- 2 differences in the books
- 1 proof is missing: nobody outside the shop could prove the records
- The server needs help: The daily proof of the records is not sent to anybody outside.
- a part of this list could not be read: please tell the person who runs the server
`);
});

test('a day on which nothing waits has no summary', () => {
  expect(attentionSummary({ ofOrders: [], ofRooms: [], lateJobs: [], isIncomplete: false, ...office })).toBeUndefined();
});
