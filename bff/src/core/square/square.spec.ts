import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { cents } from '@kilim/domain/money';
import type { IdempotencyKey, OrderId } from '@kilim/domain/order/ids';
import type { FaultInput } from '@kilim/lab/square/faults';
import { connectSimulator, type SimulatorClient } from '@kilim/lab/square/simulator-client';
import { identity, startTestSimulator } from '@kilim/lab/square/simulator-under-test';
import type { Simulator } from '@kilim/lab/square/start-simulator';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { AuthorizeCard, CardPayment } from './card-processor.ts';
import { createSquareProcessor, type SquareProcessor } from './square.ts';

const orderA = '01930000-0000-7000-8000-00000000000a' as OrderId;
const orderB = '01930000-0000-7000-8000-00000000000b' as OrderId;
const keyA = 'attempt-aaaaaaaaaaaa' as IdempotencyKey;
const keyB = 'attempt-bbbbbbbbbbbb' as IdempotencyKey;
const longAgo = '2020-01-01T00:00:00Z';

let simulator: Simulator;
let square: SquareProcessor;
let oracle: SimulatorClient;

beforeAll(async () => {
  simulator = await startTestSimulator();
  oracle = connectSimulator(simulator.url);
  square = createSquareProcessor({ ...identity, baseUrl: simulator.url, timeoutSeconds: 0.4 });
  await square.warmUp();
}, 20_000);
beforeEach(() => oracle.reset());
afterAll(() => simulator.close());

function authorization(changed: Partial<AuthorizeCard> = {}): AuthorizeCard {
  return {
    idempotencyKey: keyA,
    cardToken: 'cnon:card-nonce-ok',
    verificationToken: undefined,
    amount: cents(12_500),
    orderId: orderA,
    buyerEmail: 'buyer@example.com',
    ...changed,
  };
}

async function authorized(changed: Partial<AuthorizeCard> = {}): Promise<CardPayment> {
  const outcome = await square.authorize(authorization(changed));
  if (outcome.kind !== 'authorized') throw new Error(`Not authorized: ${outcome.kind}`);
  return outcome.payment;
}

async function completed(): Promise<CardPayment> {
  const payment = await authorized();
  await square.complete(payment.squarePaymentId);
  return payment;
}

describe('authorize', () => {
  test('authorize holds the money for an hour and captures nothing', async () => {
    const payment = await authorized();
    expect(payment).toMatchObject({ status: 'approved', amount: 12_500, currency: 'USD', referenceId: orderA });
    expect(payment.card).toEqual({ brand: 'VISA', lastFour: '1111' });
    const [held, ...others] = await oracle.payments();
    expect(others).toEqual([]);
    expect(held?.payment).toMatchObject({
      id: payment.squarePaymentId,
      status: 'APPROVED',
      delay_duration: 'PT1H',
      delay_action: 'CANCEL',
      buyer_email_address: 'buyer@example.com',
      location_id: identity.locationId,
    });
  });

  test('a repeated request places one hold', async () => {
    const [first, second] = await Promise.all([square.authorize(authorization()), square.authorize(authorization())]);
    expect(second).toEqual(first);
    expect(await oracle.payments()).toHaveLength(1);
  });

  test.each([
    ['cnon:card-nonce-declined', 'GENERIC_DECLINE', 'PAYMENT_METHOD_ERROR'],
    ['cnon:card-nonce-rejected-cvv', 'CVV_FAILURE', 'PAYMENT_METHOD_ERROR'],
    ['cnon:sim-sca-required-00000001', 'CARD_DECLINED_VERIFICATION_REQUIRED', 'PAYMENT_METHOD_ERROR'],
    ['cnon:card-nonce-already-used', 'CARD_TOKEN_USED', 'INVALID_REQUEST_ERROR'],
    ['cnon:sim-token-expired-00000001', 'CARD_TOKEN_EXPIRED', 'INVALID_REQUEST_ERROR'],
  ])('%s is declined as %s', async (cardToken, code, category) => {
    expect(await square.authorize(authorization({ cardToken }))).toEqual({ kind: 'declined', code, category });
  });

  test('a request that Square finds malformed is declined with its code', async () => {
    const outcome = await square.authorize(authorization({ idempotencyKey: 'k'.repeat(46) as IdempotencyKey }));
    expect(outcome).toEqual({ kind: 'declined', code: 'VALUE_TOO_LONG', category: 'INVALID_REQUEST_ERROR' });
  });

  test('a key that was used for another request leaves this outcome unknown', async () => {
    await authorized();
    const outcome = await square.authorize(authorization({ amount: cents(1) }));
    expect(outcome).toEqual({ kind: 'unknown', detail: 'status 400 IDEMPOTENCY_KEY_REUSED' });
  });

  test('a payment that is pending at Square is unknown', async () => {
    const outcome = await square.authorize(authorization({ cardToken: 'cnon:sim-pending-00000001' }));
    expect(outcome.kind).toBe('unknown');
  });

  test.each([
    ['half a cent', { amount: 0.5 }],
    ['no key', { idempotencyKey: undefined }],
  ])('a request with %s throws, and nothing is sent', async (_, changed) => {
    const malformed = { ...authorization(), ...changed } as AuthorizeCard;
    await expect(square.authorize(malformed)).rejects.toThrow();
    expect(await oracle.requests()).toEqual([]);
  });
});

describe('an unanswered authorize', () => {
  const nothingHeld: readonly [name: string, fault: FaultInput, detail: string][] = [
    ['never arrives', { kind: 'hang-before' }, 'no answer within 0.4 s'],
    ['is lost on the way', { kind: 'drop-before' }, 'no readable answer: UND_ERR_SOCKET'],
    ['meets a 500', { kind: 'status', status: 500 }, 'status 500 INTERNAL_SERVER_ERROR'],
    ['meets a 408', { kind: 'status', status: 408 }, 'status 408 REQUEST_TIMEOUT'],
    ['meets a 429', { kind: 'status', status: 429 }, 'status 429 RATE_LIMITED'],
    ['meets TEMPORARY_ERROR', temporaryError(), 'status 400 TEMPORARY_ERROR'],
    ['meets a 200 of errors only', { kind: 'status', status: 200 }, 'a 2xx without a readable payment'],
    ["meets a proxy's 502", { kind: 'html' }, 'status 502 UNRECOGNIZED'],
    ["meets a proxy's 400", { kind: 'html', status: 400 }, 'status 400 UNRECOGNIZED'],
    ["meets a proxy's 200", { kind: 'html', status: 200 }, 'a 2xx without a readable payment'],
    ['meets an empty 200', { kind: 'empty' }, 'no readable answer: not JSON'],
  ];

  test.each(nothingHeld)('a request that %s is unknown, and placed no hold', async (_, fault, detail) => {
    simulator.setFault(fault);
    expect(await square.authorize(authorization())).toEqual({ kind: 'unknown', detail });
    expect(await oracle.payments()).toEqual([]);
  });

  test.each([401, 403])('a request that meets a %i is unavailable, and placed no hold', async (status) => {
    simulator.setFault({ kind: 'status', status });
    expect(await square.authorize(authorization())).toMatchObject({ kind: 'unavailable' });
    expect(await oracle.payments()).toEqual([]);
  });

  const held: readonly [name: string, fault: FaultInput, detail: string][] = [
    ['never comes', { kind: 'hang-after' }, 'no answer within 0.4 s'],
    ['is cut off', { kind: 'drop-after' }, 'no readable answer: UND_ERR_SOCKET'],
    ['is cut in half', { kind: 'truncate' }, 'no readable answer: UND_ERR_SOCKET'],
    ['stops half-way', { kind: 'stall-body', ms: 800 }, 'no answer within 0.4 s'],
    ['becomes a 504', { kind: 'status-after', status: 504 }, 'status 504 GATEWAY_TIMEOUT'],
    ['becomes HTML', { kind: 'html', status: 200, after: true }, 'a 2xx without a readable payment'],
    ['becomes empty', { kind: 'empty', after: true }, 'no readable answer: not JSON'],
  ];

  test.each(held)('a request whose answer %s is unknown; repeating it finds the one hold', async (_, fault, detail) => {
    simulator.setFault(fault);
    expect(await square.authorize(authorization())).toEqual({ kind: 'unknown', detail });
    const again = await authorized();
    expect((await oracle.payments()).map(({ payment }) => payment.id)).toEqual([again.squarePaymentId]);
  });

  test('a request that arrives after its timeout still places a hold', async () => {
    simulator.setFault({ kind: 'delay', ms: 600 });
    expect((await square.authorize(authorization())).kind).toBe('unknown');
    expect(await oracle.payments()).toEqual([]);
    await expect.poll(() => oracle.payments()).toHaveLength(1);
  });

  test('the outcome is unknown when no server listens at the address', async () => {
    const nowhere = createSquareProcessor({ ...identity, baseUrl: 'http://127.0.0.1:1', timeoutSeconds: 0.4 });
    expect((await nowhere.authorize(authorization())).kind).toBe('unknown');
  });

  test.each([302, 307])('a %i is unknown, and its place sees neither the payment nor the token', async (status) => {
    const asked: (string | undefined)[] = [];
    const elsewhere = createServer(({ url }, answer) => {
      asked.push(url);
      answer.writeHead(status, { location: '/elsewhere' }).end();
    });
    await once(elsewhere.listen(0, '127.0.0.1'), 'listening');
    try {
      const { port } = elsewhere.address() as AddressInfo;
      const redirected = createSquareProcessor({ ...identity, baseUrl: `http://127.0.0.1:${port}` });
      expect(await redirected.authorize(authorization())).toMatchObject({ kind: 'unknown' });
      expect(asked).toEqual(['/v2/payments']);
    } finally {
      elsewhere.close();
    }
  });

  test("the detail never holds the buyer's e-mail", async () => {
    simulator.setFault({ kind: 'status', status: 500, detail: 'for buyer@example.com', code: 'buyer@example.com' });
    expect(await square.authorize(authorization())).toEqual({ kind: 'unknown', detail: 'status 500 UNRECOGNIZED' });
  });
});

describe('complete', () => {
  test('complete captures the money and returns a receipt', async () => {
    const { squarePaymentId } = await authorized();
    const outcome = await square.complete(squarePaymentId);
    expect(outcome).toMatchObject({ kind: 'completed', payment: { status: 'completed', amount: 12_500 } });
    expect(outcome).toMatchObject({ payment: { receipt: { number: squarePaymentId.slice(0, 4) } } });
  });

  test('a repeated complete is completed again, and captures once', async () => {
    const { squarePaymentId } = await completed();
    expect((await square.complete(squarePaymentId)).kind).toBe('completed');
    const { history } = await oracle.payment(squarePaymentId);
    expect(history.map(({ what }) => what)).toEqual(['created', 'completed']);
  });

  test('a complete whose answer is lost is unknown, and get finds the payment completed', async () => {
    const { squarePaymentId } = await authorized();
    simulator.setFault({ kind: 'drop-after', path: '/v2/payments/*/complete' });
    expect((await square.complete(squarePaymentId)).kind).toBe('unknown');
    expect(await square.get(squarePaymentId)).toMatchObject({ kind: 'found', payment: { status: 'completed' } });
  });

  test('complete refuses payments that are canceled, not capturable or unknown', async () => {
    const canceled = await authorized();
    await square.cancel(canceled.squarePaymentId);
    const stuck = await authorized({ idempotencyKey: keyB, cardToken: 'cnon:sim-approved-only-00000001' });
    const refused = { kind: 'refused', code: 'BAD_REQUEST', category: 'INVALID_REQUEST_ERROR' };
    expect(await square.complete(canceled.squarePaymentId)).toEqual(refused);
    expect(await square.complete(stuck.squarePaymentId)).toEqual(refused);
    expect(await square.complete('nobody')).toMatchObject({ kind: 'refused', code: 'NOT_FOUND' });
  });

  test('a refused complete is unknown when the payment cannot be looked up', async () => {
    const { squarePaymentId } = await completed();
    simulator.setFault({ kind: 'status', status: 503, method: 'GET', path: '/v2/payments/*' });
    expect((await square.complete(squarePaymentId)).kind).toBe('unknown');
  });
});

describe('cancel', () => {
  test('cancel releases the hold, and a repeated cancel is canceled again', async () => {
    const { squarePaymentId } = await authorized();
    expect(await square.cancel(squarePaymentId)).toEqual({ kind: 'canceled' });
    expect(await square.cancel(squarePaymentId)).toEqual({ kind: 'canceled' });
    expect((await oracle.payment(squarePaymentId)).payment.status).toBe('CANCELED');
  });

  test('a captured payment cannot be canceled', async () => {
    const { squarePaymentId } = await completed();
    expect((await square.cancel(squarePaymentId)).kind).toBe('refused');
    expect((await oracle.payment(squarePaymentId)).payment.status).toBe('COMPLETED');
  });

  test('a cancel by key voids the hold of a lost answer', async () => {
    simulator.setFault({ kind: 'hang-after' });
    await square.authorize(authorization());
    expect(await square.cancelByIdempotencyKey(keyA)).toEqual({ kind: 'canceled' });
    expect((await oracle.payments()).map(({ payment }) => payment.status)).toEqual(['CANCELED']);
  });

  test('a cancel by an unknown key is canceled too', async () => {
    expect(await square.cancelByIdempotencyKey(keyB)).toEqual({ kind: 'canceled' });
  });

  test('a cancel by key reports success for a captured payment but does not void it', async () => {
    const { squarePaymentId } = await completed();
    expect(await square.cancelByIdempotencyKey(keyA)).toEqual({ kind: 'canceled' });
    expect(await square.get(squarePaymentId)).toMatchObject({ payment: { status: 'completed' } });
  });

  test.each<FaultInput>([
    { kind: 'html', status: 200 },
    { kind: 'status', status: 200 },
    { kind: 'empty' },
    { kind: 'hang-before' },
  ])('a cancel by key is unknown after $kind', async (fault) => {
    simulator.setFault({ ...fault, path: '/v2/payments/cancel' } as FaultInput);
    expect((await square.cancelByIdempotencyKey(keyA)).kind).toBe('unknown');
  });
});

describe('looking', () => {
  test('get finds a payment, or reports that it does not exist', async () => {
    const payment = await authorized();
    expect(await square.get(payment.squarePaymentId)).toEqual({ kind: 'found', payment });
    expect(await square.get('nobody')).toEqual({ kind: 'not-found' });
  });

  test("a proxy's 404 does not prove that a payment does not exist", async () => {
    simulator.setFault({ kind: 'html', status: 404, method: 'GET', path: '/v2/payments/*' });
    expect((await square.get('nobody')).kind).toBe('unknown');
  });

  test('the list holds only the payments of the order, newest first', async () => {
    const declined = await square.authorize(authorization({ cardToken: 'cnon:card-nonce-declined' }));
    expect(declined.kind).toBe('declined');
    await authorized({ idempotencyKey: keyB, orderId: orderB });
    await authorized({ idempotencyKey: 'attempt-cccccccccccc' as IdempotencyKey });
    const listed = await square.listForOrder({ orderId: orderA, since: longAgo });
    expect(listed).toMatchObject({ kind: 'listed', payments: [{ status: 'approved' }, { status: 'failed' }] });
    const later = await square.listForOrder({ orderId: orderA, since: '2100-01-01T00:00:00Z' });
    expect(later).toEqual({ kind: 'listed', payments: [] });
  });

  test('the list is read to its last page, and each page may take as long as a call', async () => {
    const first = await authorized();
    for (let count = 1; count <= 100; count += 1) {
      await square.authorize(authorization({ idempotencyKey: `other-${count}` as IdempotencyKey, orderId: orderB }));
    }
    simulator.setFault({ kind: 'delay', method: 'GET', ms: 250, times: 2 });
    const listed = await square.listForOrder({ orderId: orderA, since: longAgo });
    expect(listed).toEqual({ kind: 'listed', payments: [first] });
  });

  test.each<FaultInput>([
    { kind: 'html', status: 200 },
    { kind: 'status', status: 200 },
    { kind: 'status', status: 400 },
    { kind: 'truncate' },
  ])('an unreadable list ($kind) does not prove that there are no payments', async (fault) => {
    simulator.setFault({ ...fault, method: 'GET' } as FaultInput);
    expect((await square.listForOrder({ orderId: orderA, since: longAgo })).kind).toBe('unknown');
  });
});

test('a processor cannot be created without an access token', () => {
  expect(() => createSquareProcessor({ ...identity, accessToken: '', environment: 'sandbox' })).toThrow('access token');
});

function temporaryError(): FaultInput {
  return { kind: 'status', status: 400, category: 'PAYMENT_METHOD_ERROR', code: 'TEMPORARY_ERROR' };
}
