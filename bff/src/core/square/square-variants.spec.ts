import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Listed } from './card-processor.ts';
import { createSquareProcessor, type SquareProcessor } from './square.ts';

// Every field is left out, null, each of its published values and a new one. The list stays readable, and what cannot
// be read is named.

let body: unknown;
const server = createServer((_request, response) => {
  response.setHeader('content-type', 'application/json').end(JSON.stringify(body));
});
let card: SquareProcessor;
beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const baseUrl = `http://127.0.0.1:${port}`;
  card = createSquareProcessor({ accessToken: 'token', applicationId: 'a', locationId: 'L1', baseUrl });
});
afterAll(() => void server.close());

type ObjectName = 'Payment' | 'PaymentRefund' | 'Dispute' | 'Payout' | 'PayoutEntry';
type Field = { readonly nullable?: boolean; readonly required?: boolean; readonly values?: string };

type Published = { readonly sample: object; readonly fields: Readonly<Record<string, Field>> };

const file = readFileSync(new URL('./fixtures/square-objects.json', import.meta.url), 'utf8');
const published = JSON.parse(file) as { readonly objects: Readonly<Record<ObjectName, Published>> };

const span = { from: '2026-11-19T00:00:00Z', to: '2026-11-21T00:00:00Z' };
const lists: Readonly<Record<ObjectName, { readonly key: string; readonly list: () => Promise<Listed<unknown>> }>> = {
  Payment: { key: 'payments', list: () => card.listPayments(span) },
  PaymentRefund: { key: 'refunds', list: () => card.listRefunds(span) },
  Dispute: { key: 'disputes', list: () => card.listDisputes() },
  Payout: { key: 'payouts', list: () => card.listPayouts(span) },
  PayoutEntry: { key: 'payout_entries', list: () => card.listPayoutEntries('po_1') },
};

const absent = Symbol('absent');

function variantsOf({ required = false, values }: Field, path: string): readonly unknown[] {
  const stated = values?.split(' ') ?? [];
  const isChosen = stated.length > 0 || /\b(status|state)$/.test(path);
  return [...(required ? [] : [absent, null]), ...stated, ...(isChosen ? ['NEW_VALUE'] : [])];
}

function changed(sample: unknown, path: string, value: unknown): unknown {
  const copy = structuredClone(sample) as Record<string, unknown>;
  const names = path.split('.');
  const last = names.pop() ?? '';
  const place = names.reduce((at, name) => at[name] as Record<string, unknown>, copy);
  if (value !== absent) place[last] = value;
  else if (Array.isArray(place)) place.splice(Number(last), 1);
  else delete place[last];
  return copy;
}

/** Without these an object says too little, each with its unreadable variants. */
const unreadable: Readonly<Record<ObjectName, readonly string[]>> = {
  Payment: [
    'id: absent null',
    'created_at: absent null',
    'updated_at: absent null',
    'amount_money: absent null',
    'amount_money.amount: absent null',
    'amount_money.currency: absent null',
    'status: absent null NEW_VALUE',
  ],
  PaymentRefund: [
    'status: absent null NEW_VALUE',
    'amount_money.amount: absent null',
    'amount_money.currency: absent null',
    'created_at: absent null',
    'updated_at: absent null',
  ],
  Dispute: ['amount_money: absent null', 'amount_money.amount: absent null', 'state: absent null'],
  Payout: [
    'status: absent null NEW_VALUE',
    'created_at: absent null',
    'updated_at: absent null',
    'amount_money: absent null',
    'amount_money.amount: absent null',
    'amount_money.currency: absent null UNKNOWN_CURRENCY CAD EUR JPY NEW_VALUE',
    'type: absent null NEW_VALUE',
  ],
  PayoutEntry: [
    'type: absent null',
    'gross_amount_money: absent null',
    'gross_amount_money.amount: absent null',
    'gross_amount_money.currency: absent null UNKNOWN_CURRENCY CAD EUR JPY NEW_VALUE',
    'net_amount_money: absent null',
    'net_amount_money.amount: absent null',
    'net_amount_money.currency: absent null UNKNOWN_CURRENCY CAD EUR JPY NEW_VALUE',
  ],
};

test.each(Object.keys(lists) as ObjectName[])('every variant of a %s leaves its list readable', async (name) => {
  const { key, list } = lists[name];
  const { sample, fields } = published.objects[name];
  const readable = structuredClone(sample);
  const told = new Map<string, string>();
  for (const [path, field] of Object.entries(fields)) {
    for (const value of variantsOf(field, path)) {
      body = { [key]: [changed(sample, path, value), readable] };
      const listed = await list();
      if (listed.kind !== 'listed') throw new Error(`${path} = ${String(value)}: ${listed.detail}`);
      const { items, elsewhere } = listed;
      expect(items.length + elsewhere + listed.unreadable.length).toBe(2);
      expect(items.length).toBeGreaterThanOrEqual(1);
      if (listed.unreadable.length > 0) {
        told.set(path, `${told.get(path) ?? `${path}:`} ${value === absent ? 'absent' : String(value)}`);
      }
      expect(listed.unreadable).toEqual(listed.unreadable.map(() => expect.stringMatching(/./)));
    }
  }
  expect([...told.values()]).toEqual(unreadable[name]);
});
