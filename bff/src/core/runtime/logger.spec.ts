import { spawn } from 'node:child_process';
import { once } from 'node:events';
import type { Readable } from 'node:stream';
import postgres from 'postgres';
import { describe, expect, onTestFinished, test } from 'vitest';
import { z } from 'zod';
import { createLogger, type LogLevel } from './logger.ts';

function capture(level: LogLevel = 'trace') {
  const lines: string[] = [];
  const log = createLogger({ level, destination: { write: (line: string) => void lines.push(line) } });
  return { log, text: () => lines.join(''), last: () => JSON.parse(lines.at(-1) ?? '{}') as Record<string, unknown> };
}

test('a log line is one JSON object with ISO time, level name, message and fields', () => {
  const { log, text, last } = capture();
  log.info({ orderId: 'order-1', amountCents: 12_000, at: new Date(0) }, 'captured');
  expect(text().endsWith('}\n')).toBe(true);
  expect(last()).toMatchObject({ level: 'info', msg: 'captured', orderId: 'order-1', amountCents: 12_000 });
  expect(last()).toMatchObject({ at: '1970-01-01T00:00:00.000Z', time: expect.stringMatching(/^\d{4}-\d\d-\d\dT/) });
});

test('a line below the level is not written', () => {
  const { log, text } = capture('warn');
  log.info('quiet');
  expect(text()).toBe('');
});

const secret = 'Ada-Lovelace-secret';

test.each([
  'token',
  'cardToken',
  'accessToken',
  'verification_token',
  'source_id',
  'password',
  'SQUARE_ACCESS_TOKEN',
  'webhookSignatureKey',
  'x-square-hmacsha256-signature',
  'authorization',
  'cookie',
  'set-cookie',
  'name',
  'firstName',
  'email',
  'buyerEmailAddress',
  'phone',
  'phone_number',
  'address',
  'address_line_1',
  'city',
  'postalCode',
  'customerInfo',
  'card',
  'cardholder_name',
  'last4',
  'query',
  'body',
  'adminNotes',
])('the field %s is redacted at any depth, in lists, and in child loggers', (field) => {
  const { log, text } = capture();
  log.info({ [field]: secret }, 'top');
  log.info({ request: { headers: [{ deep: { [field]: secret } }] } }, 'deep');
  log.info({ request: { [field]: { inside: [secret] } } }, 'object');
  log.child({ [field]: secret, request: { [field]: secret } }).info('child');
  expect(text()).not.toContain(secret);
  expect(text().match(/\[redacted\]/g)?.length).toBeGreaterThanOrEqual(5);
});

test.each([
  ['an email address', 'mail to ada@example.com bounced', 'ada@example.com'],
  ['a telephone number', 'called (415) 555-0132 twice', '555-0132'],
  ['a bearer token', 'sent Bearer abc.def-123', 'abc.def-123'],
  ["Square's card token", 'charged cnon:CBASEK-q1_x', 'CBASEK'],
  ["Square's access token", 'used EAAAEBcdefghijklmnopqrstuvwxyz012', 'EAAAEB'],
  ["the database's password", 'at postgres://kilim:pa55word@db.internal/kilim', 'pa55word'],
  ['a query string', 'GET https://kilim.test/receipt?email=ada', 'ada'],
])('%s inside a text is redacted', (_, text, part) => {
  const { log, text: written } = capture();
  log.warn(text);
  log.warn({ detail: [text] }, 'field');
  log.warn(new Error(text), 'error');
  expect(written().match(/\[redacted\]/g)).toHaveLength(3);
  expect(written()).not.toContain(part);
});

test('a path is logged without its query', () => {
  const { log, last } = capture();
  log.info({ path: '/api/admin/orders?search=Lovelace', url: '/x?y=z' }, 'request');
  expect(last()).toMatchObject({ path: '/api/admin/orders', url: '/x' });
});

test('a text that is cut shows no part of an address or number at the cut', () => {
  const { log, last } = capture();
  for (const end of ['ada@example.com', '(415) 555-0132', 'cnon:CBASEK-q1_x']) {
    for (let cut = 0; cut <= end.length; cut += 1) {
      log.info(`${' '.repeat(10_000 - cut)}${end}`);
      expect(last()['msg']).not.toMatch(/ada|415|555|CBASEK/);
    }
  }
  log.info('x'.repeat(100_000));
  expect(String(last()['msg']).length).toBeLessThan(10_000);
});

/** Other programs do not lengthen this thread's processor time. */
function cpuMilliseconds(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1000;
}

test.each([
  '!',
  '@',
  '!@',
  'a@a.',
  '/',
  '//a',
  '//a:',
  '?',
  '/?',
  'http://',
  'Bearer ',
  ' ',
  'EAAA',
  'cnon:',
  '555',
  '(555) ',
])('15,000 characters of "%s" cost a log line less than 20 ms of processor time', (part) => {
  const { log } = capture();
  const hostile = part.repeat(15_000 / part.length);
  log.info({ path: `/${hostile}`, detail: hostile }, 'the first line compiles the expressions');
  const milliseconds = [1, 2, 3].map(() => {
    const began = cpuMilliseconds();
    log.info({ path: `/${hostile}` }, 'answered');
    log.info(hostile);
    return cpuMilliseconds() - began;
  });
  // Garbage may be collected in between.
  expect(Math.min(...milliseconds)).toBeLessThan(20);
});

test('ids, codes and durations that operators need are not redacted', () => {
  const { log, last } = capture();
  const fields = {
    requestId: '0198c2f4-6d2c-7c3e-9b1a-2f5d8a7c4e10',
    squarePaymentId: 'bP9mAsEMYPUGjjGNaNO5ZDVyLhSZY',
    key: 'refund-0198c2f4',
    code: 'INSUFFICIENT_FUNDS',
    hostname: 'shop-1',
    username: 'admin',
    durationMs: 1_763_712_000_000,
  };
  log.info(fields, 'done');
  expect(last()).toMatchObject(fields);
});

test("the server's own error keeps its type, message, code, stack frames and cause", () => {
  const { log, last } = capture();
  const cause = Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' });
  log.error({ err: new TypeError('fetch failed', { cause }) }, 'Square is away');
  expect(last()).toMatchObject({
    msg: 'Square is away',
    err: {
      type: 'TypeError',
      message: 'fetch failed',
      stack: expect.stringMatching(/^\s+at .*logger\.spec\.ts/),
      cause: { type: 'Error', message: 'connect ECONNREFUSED', code: 'ECONNREFUSED' },
    },
  });
});

/** As the driver makes it from the server's message. */
function uniqueViolation(): Error {
  return Object.assign(new postgres.PostgresError(`invalid input: "${secret}"` as never), {
    message: `invalid input: "${secret}"`,
    name: 'PostgresError',
    code: '23505',
    detail: `Key (contact)=(${secret}) already exists.`,
    where: `unnamed portal with parameters: $1 = '${secret}'`,
    constraint_name: 'contact_unique',
    table_name: 'customer_contact',
    query: `select '${secret}'`,
    parameters: [secret],
  });
}

class SquareError extends Error {
  override readonly name = 'SquareError';
  readonly statusCode = 400;
  readonly body = { errors: [{ detail: secret }] };
}

test('errors of PostgreSQL, Square, zod and JSON keep code and place, and no personal data', () => {
  const { log, text, last } = capture();
  const json = () => JSON.parse(`{"name": ${secret}`) as unknown;
  class Outcome {
    readonly reason = uniqueViolation();
  }
  const errors = [
    new Outcome(),
    uniqueViolation(),
    new SquareError(`Status code: 400\nBody: ${secret}\n    and ${secret}`),
    z.literal('a').safeParse(secret, { reportInput: true }).error,
    catchError(json),
  ];
  for (const error of errors) {
    log.error({ err: error }, 'failed');
    log.error(error);
    log.error({ err: error });
    log.error({ outcome: { reasons: [error] }, error: new Error('wrapped', { cause: error }) }, 'nested');
    log.child({ request: { error } }).error('child');
  }
  expect(text()).not.toContain(secret);
  log.error(uniqueViolation());
  expect(last()).toMatchObject({
    msg: 'PostgresError',
    err: { type: 'PostgresError', code: '23505', constraint: 'contact_unique', table: 'customer_contact' },
  });
  log.error(new SquareError('Status code: 400'));
  expect(last()).toMatchObject({
    err: { type: 'SquareError', statusCode: 400, stack: expect.stringContaining(' at ') },
  });
});

test('a circular field does not break the log', () => {
  const { log, last } = capture();
  const loop: Record<string, unknown> = { orderId: 'order-1' };
  Object.assign(loop, { self: loop });
  log.info({ loop }, 'looped');
  expect(last()).toMatchObject({ msg: 'looped', loop: { orderId: 'order-1' } });
});

function catchError(work: () => unknown): unknown {
  try {
    return work();
  } catch (error) {
    return error;
  }
}

describe('a process whose log has no reader', () => {
  const logger = new URL('./logger.ts', import.meta.url);
  const script = `
    import { createLogger } from ${JSON.stringify(logger.href)};
    const log = createLogger({ level: 'info' });
    log.info('ready');
    process.once('message', (level) => {
      for (let line = 0; line < 5; line += 1) log[level]('nobody reads this');
      process.exit(7);
    });`;

  test.each(['error', 'fatal'])('continues after logging at level %s, and can exit', async (level) => {
    const child = spawn(process.execPath, ['--input-type=module', '-e', script], {
      stdio: ['ignore', 'pipe', 'ignore', 'ipc'],
    });
    onTestFinished(() => void child.kill('SIGKILL'));
    const ended = once(child, 'exit');
    await once(child.stdout as Readable, 'data');
    child.stdout?.destroy();
    child.send(level);
    expect(await ended).toEqual([7, null]);
  });
});
