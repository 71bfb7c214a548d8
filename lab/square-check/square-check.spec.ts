import { afterAll, expect, test } from 'vitest';
import { identity, startTestSimulator } from '../square/simulator-under-test.ts';
import { runChecks } from './checks.ts';
import { readExamples, serveExamples } from './examples.ts';
import { createAnonymizer, differencesOf, shapeOf } from './shape.ts';
import { openTarget } from './target.ts';

const simulator = await startTestSimulator();
const scriptUrl = `${simulator.url}/v1/square.js`;
afterAll(simulator.close);

test('the local Square answers each check as Square is documented to', async () => {
  const results = await runChecks(openTarget({ ...identity, baseUrl: simulator.url, scriptUrl }));
  expect(results.length).toBeGreaterThanOrEqual(45);
  expect(results.filter(({ expected, said }) => expected !== undefined && said !== expected)).toEqual([]);
});

test("the server reads each of Square's published examples, except amounts without a currency", async () => {
  const { url, close } = await serveExamples(readExamples('published-examples.json'));
  const results = await runChecks(openTarget({ ...identity, baseUrl: url, scriptUrl }));
  close();
  const unreadable = results.filter(({ said }) => /unknown|threw|[1-9] unreadable/.test(said));
  // The examples of payouts say `currency_code`.
  expect(unreadable.map(({ name, said }) => `${name}: ${said}`)).toEqual([
    'each payout is readable: listed, 2 unreadable',
  ]);
});

test('the server reads each answer that was recorded', async () => {
  const { answers } = readExamples('answers.json');
  const { payments, refunds, lists } = partsOf(answers.filter(({ status }) => status === 200));
  for (const body of payments)
    expect(await readBack('GET /v2/payments/*', body, (card) => card.get('p'))).toBe('found');
  for (const body of refunds)
    expect(await readBack('GET /v2/refunds/*', body, (card) => card.getRefund('r'))).toBe('found');
  const span = { from: '2020-01-01T00:00:00Z', to: '2030-01-01T00:00:00Z' };
  for (const body of lists) {
    expect(await readBack('GET /v2/payments', body, (card) => card.listPayments(span))).toBe('listed');
  }
  expect(payments.length + refunds.length + lists.length).toBeGreaterThanOrEqual(6);
});

type Bodies = readonly object[];

function partsOf(answers: ReturnType<typeof readExamples>['answers']) {
  const having = (name: string): Bodies =>
    answers.flatMap(({ body }) => (typeof body === 'object' && body !== null && name in body ? [body] : []));
  return { payments: having('payment'), refunds: having('refund'), lists: having('payments') };
}

type Card = ReturnType<typeof openTarget>['card'];

async function readBack(
  call: string,
  body: object,
  read: (card: Card) => Promise<{ kind: string; unreadable?: readonly string[] }>,
) {
  const { url, close } = await serveExamples({ source: '', answers: [{ call, status: 200, body }] });
  const found = await read(openTarget({ ...identity, baseUrl: url, scriptUrl }).card);
  close();
  expect(found.unreadable ?? []).toEqual([]);
  return found.kind;
}

test('what differs is named by its field', () => {
  const real = shapeOf({ payment: { id: 'a', note: null, card: { bin: '4' }, fees: [{ type: 'INITIAL' }] } });
  const local = shapeOf({ payment: { id: 'a', note: 'n', fees: [{ type: 'INITIAL' }], order: 'o' } });
  expect(differencesOf(real, local)).toEqual([
    '+ payment.card.bin: string',
    '~ payment.note: null, not string',
    '- payment.order',
  ]);
});

test('fixtures hold no ids and no personal data, and the same id stays the same', () => {
  const anonymize = createAnonymizer();
  expect(
    anonymize({
      ...{ id: 'PABC', payment_id: 'PABC', status: 'COMPLETED', buyer_email_address: 'ada@example.com' },
      ...{ created_at: '2026-11-28T00:00:00Z', receipt_url: 'https://squareup.com/r/PABC', amount: 5, last_4: '1111' },
    }),
  ).toEqual({
    ...{ id: 'id-1', payment_id: 'id-1', status: 'COMPLETED', buyer_email_address: 'x' },
    ...{ created_at: '2026-11-28T00:00:00Z', receipt_url: 'https://example.com/', amount: 5, last_4: '0000' },
  });
});
