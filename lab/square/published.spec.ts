import { afterAll, expect, test } from 'vitest';
import { isObject, misfits, schemaOf } from './published.ts';
import { connectSimulator } from './simulator-client.ts';
import { identity, startTestSimulator } from './simulator-under-test.ts';

const simulators = await Promise.all(
  [false, true].map((hostile) => startTestSimulator({ settings: { hostile, refundSettlesAfterMs: 0, listLagMs: 0 } })),
);
const [plain, hostile] = simulators.map(({ url }) => url);
afterAll(() => Promise.all(simulators.map(({ close }) => close())));

/** Square invents these kinds later; all else of the hostile local Square is published today. */
const isNewKind = (line: string) =>
  /is no ApplicationDetailsExternalSquareProduct|is no DisputeState|is no ActivityType/.test(line);

async function call(url: string, path: string, body?: object): Promise<Record<string, unknown>> {
  const answer = await fetch(`${url}/v2${path}`, {
    headers: { authorization: `Bearer ${identity.accessToken}`, 'content-type': 'application/json' },
    ...(body === undefined
      ? {}
      : { method: 'POST', body: JSON.stringify({ idempotency_key: crypto.randomUUID(), ...body }) }),
  });
  return (await answer.json()) as Record<string, unknown>;
}

const money = { amount_money: { amount: 10_000, currency: 'USD' } };
const card = (source_id: string, more: object = {}) => ({ source_id, ...money, reference_id: 'order-a', ...more });

/** Of every kind and state that the local Square has. */
async function everyAnswer(url: string): Promise<readonly Record<string, unknown>[]> {
  const square = connectSimulator(url);
  const pay = async (more: object = {}) => {
    const answer = await call(
      url,
      '/payments',
      card('cnon:card-nonce-ok', { note: 'n', buyer_email_address: 'a@example.com', ...more }),
    );
    return { answer, id: (answer['payment'] as { id: string }).id };
  };
  const [sold, held, voided] = [await pay(), await pay({ autocomplete: false }), await pay({ autocomplete: false })];
  await square.sellAtCounter(500);
  const answers = [
    ...[sold.answer, held.answer, await call(url, `/payments/${voided.id}/cancel`, {})],
    await call(url, '/payments', card('cnon:card-nonce-declined')),
    await call(url, '/payments', card('cnon:no-such-card')),
    await call(url, '/refunds', { payment_id: sold.id, amount_money: { amount: 100, currency: 'USD' }, reason: 'r' }),
    await call(url, '/refunds', { payment_id: sold.id, amount_money: { amount: 1e6, currency: 'USD' } }),
  ];
  await square.openDispute(sold.id);
  const payoutId = await square.payOut([{ type: 'RESERVE_HOLD', gross: -100 }]);
  const paths = ['/payments', '/refunds', '/disputes', '/payouts', `/payouts/${payoutId}/payout-entries`];
  for (const path of paths) {
    for (let cursor: unknown = ''; cursor !== undefined; ) {
      const page = await call(url, `${path}?limit=100${cursor === '' ? '' : `&cursor=${String(cursor)}`}`);
      answers.push(page);
      cursor = page['cursor'];
    }
  }
  return [...answers, await call(url, `/locations/${identity.locationId}`)];
}

function objectsIn(
  answers: readonly Record<string, unknown>[],
): readonly (readonly [schema: string, value: unknown])[] {
  return answers.flatMap((answer) =>
    Object.entries(answer).flatMap(([name, value]) => {
      const schema = schemaOf[name];
      return schema === undefined
        ? []
        : (Array.isArray(value) ? value : [value]).map((item) => [schema, item] as const);
    }),
  );
}

test("every object of the local Square fits Square's published schemas", async () => {
  const objects = objectsIn(await everyAnswer(plain ?? ''));
  expect(new Set(objects.map(([schema]) => schema)).size).toBe(7);
  expect(objects.flatMap(([schema, value]) => misfits(schema, value))).toEqual([]);
});

test('so does the hostile one, which leaves out or nulls all that Square may', async () => {
  const objects = objectsIn(await everyAnswer(hostile ?? ''));
  expect(objects.flatMap(([schema, value]) => misfits(schema, value)).filter((line) => !isNewKind(line))).toEqual([]);
  const payments = objects.flatMap(([schema, value]) => (schema === 'Payment' && isObject(value) ? [value] : []));
  expect(new Set(payments.map((payment) => ('tip_money' in payment ? payment['tip_money'] : 'absent')))).toEqual(
    new Set([null, 'absent']),
  );
  expect(payments.filter((payment) => 'receipt_url' in payment)).toEqual([]);
});
