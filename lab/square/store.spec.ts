import { appendFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { connectSimulator } from './simulator-client.ts';
import { paymentRequest, squareSdk, startTestSimulator } from './simulator-under-test.ts';
import type { Simulator } from './start-simulator.ts';

const held = { autocomplete: false, delayDuration: 'PT1M' };

let folder: string;
let dataFile: string;
let simulator: Simulator;

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'simulator-'));
  dataFile = join(folder, 'state', 'square.jsonl');
  simulator = await startTestSimulator({ dataFile });
});
afterEach(async () => {
  await simulator.close();
  rmSync(folder, { recursive: true });
});

async function restart(): Promise<void> {
  await simulator.close();
  simulator = await startTestSimulator({ dataFile });
}

async function pay(changed: object = {}) {
  const { payment } = await squareSdk(simulator.url).payments.create(paymentRequest('a', changed));
  return payment?.id ?? '';
}

test('payments, their history, refunds, used tokens and keys survive a restart', async () => {
  const sourceId = 'cnon:sim-ok-00000001';
  const paymentId = await pay({ sourceId });
  const amountMoney = { amount: 1n, currency: 'USD' as const };
  await squareSdk(simulator.url).refunds.refundPayment({ idempotencyKey: 'r', paymentId, amountMoney });
  const before = await connectSimulator(simulator.url).payments();
  await restart();
  expect(await connectSimulator(simulator.url).payments()).toEqual(before);
  expect(await pay({ sourceId })).toBe(paymentId);
  await expect(pay({ sourceId, idempotencyKey: 'b' })).rejects.toThrow('CARD_TOKEN_USED');
});

test('a payment whose answer was lost is found by its key after a restart', async () => {
  simulator.setFault({ kind: 'drop-after' });
  await expect(pay()).rejects.toThrow();
  const [lost] = await connectSimulator(simulator.url).payments();
  await restart();
  expect(await pay()).toBe(lost?.payment.id);
  expect(await connectSimulator(simulator.url).payments()).toHaveLength(1);
});

test('a hold still expires after a restart', async () => {
  const id = await pay(held);
  await restart();
  const oracle = connectSimulator(simulator.url);
  await oracle.advanceClock(60);
  expect((await oracle.payment(id)).payment.status).toBe('CANCELED');
});

test('a truncated last line, as a killed process leaves it, is removed; complete lines are kept', async () => {
  const id = await pay();
  await simulator.close();
  appendFileSync(dataFile, '[{"type":"payment","what":"crea');
  simulator = await startTestSimulator({ dataFile });
  const other = await pay({ idempotencyKey: 'b' });
  await restart();
  const payments = await connectSimulator(simulator.url).payments();
  expect(payments.map(({ payment }) => payment.id)).toEqual([id, other]);
});

test('a foreign file stops the start and is not changed', async () => {
  const foreign = join(folder, 'notes.txt');
  writeFileSync(foreign, 'not ours\n');
  await expect(startTestSimulator({ dataFile: foreign })).rejects.toThrow(`cannot read its state at ${foreign}:1`);
  expect(readFileSync(foreign, 'utf8')).toBe('not ours\n');
});

test('a reset empties the file too', async () => {
  await pay();
  await connectSimulator(simulator.url).reset();
  await restart();
  expect(await connectSimulator(simulator.url).payments()).toEqual([]);
});
