import { cents } from '@kilim/domain/money';
import { expect, test } from 'vitest';
import type { NeedsAttention } from '../../queries/read-attention.ts';
import { render } from '../render.ts';
import { attentionSummary } from './attention-summary.ts';

const noon = new Date('2026-11-24T20:00:00Z');
const todayUrl = 'https://office.example/admin/today';

function item(kind: NeedsAttention['kind'], more: Partial<NeedsAttention> = {}): NeedsAttention {
  return { kind, id: kind, orderId: 'an order', amount: null, since: noon, dueAt: null, code: null, ...more };
}

test('each kind is one line with its count and amount, the most urgent first', () => {
  const letter = attentionSummary({
    ofOrders: [
      item('mail-undelivered'),
      item('dispute-open', { amount: cents(10_000), dueAt: new Date('2026-12-08T00:00:00Z') }),
      item('dispute-open', { amount: cents(5_000), dueAt: new Date('2026-12-01T00:00:00Z') }),
      item('refund-failed', { amount: cents(8_000) }),
    ],
    ofRooms: [
      { kind: 'books-differ', count: 2 },
      { kind: 'witness-missing', count: 1 },
    ],
    lateJobs: [{ name: 'seal', meaning: 'The daily proof of the records is not sent to anybody outside.' }],
    isIncomplete: true,
    todayUrl,
  });
  expect(letter?.subject).toBe('Needs attention: 1 refund failed, $80.00, and more');
  const { text } = render(letter ?? { subject: '', heading: '', parts: [] }, { name: 'Rugs', phone: '' });
  expect(text).toContain(`- 1 refund failed, $80.00
- 2 payments are disputed by banks, $150.00, evidence is due by 2026-12-01
- 1 email waits for a decision
- 2 differences in the books
- 1 proof is missing: nobody outside the shop could prove the records
- The server needs help: The daily proof of the records is not sent to anybody outside.
- a part of this list could not be read: please tell the person who runs the server
`);
});

test('a day on which nothing waits has no summary', () => {
  expect(attentionSummary({ ofOrders: [], ofRooms: [], lateJobs: [], isIncomplete: false, todayUrl })).toBeUndefined();
});
