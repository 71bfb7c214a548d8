import { createHash } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeEach, expect, test } from 'vitest';
import { createLogger } from '../../core/runtime/logger.ts';
import { weaknessOf } from './password-strength.ts';
import { stolenPasswordsAt } from './stolen-passwords.ts';

// GET /range/<5 digits> answers the rests of the hashes, with counts.
const asked: IncomingMessage[] = [];
const logged: string[] = [];
let answer: (response: ServerResponse) => void = () => undefined;
const server = createServer((request, response) => {
  asked.push(request);
  answer(response);
});
await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
afterAll(() => {
  server.close();
  server.closeAllConnections();
});
const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/range/`;
const log = createLogger({ level: 'warn', destination: { write: (line) => void logged.push(line) } });
const isStolen = stolenPasswordsAt(url, log);

const password = 'plover sandstone harbour 88';
const hash = createHash('sha1').update(password).digest('hex').toUpperCase();
const prefix = hash.slice(0, 5);
const rest = hash.slice(5);

beforeEach(() => {
  asked.length = 0;
  logged.length = 0;
});

test('five digits of the hash leave the server, and the answer is padded', async () => {
  answer = (response) => response.end(`0018A45C4D1DEF81644B54AB7F969B88D65:3\r\n${rest}:2\r\n`);
  expect(await isStolen(password)).toBe(true);
  expect(asked.map((request) => request.url)).toEqual([`/range/${prefix}`]);
  expect(asked[0]?.headers['add-padding']).toBe('true');
  expect(JSON.stringify(asked[0]?.rawHeaders)).not.toContain(rest.slice(0, 8));
});

test.each([
  ['no hash of it', `0018A45C4D1DEF81644B54AB7F969B88D65:3`],
  ['its hash as padding', `${rest}:0`],
  ['nothing', ''],
])('an answer with %s means that it was not stolen', async (_, text) => {
  answer = (response) => response.end(text);
  expect(await isStolen(password)).toBe(false);
  expect(logged).toEqual([]);
});

test.each([
  ['a failure', (response: ServerResponse) => response.writeHead(503).end(`${rest}:2`)],
  ['a redirect', (response: ServerResponse) => response.writeHead(302, { location: url }).end()],
  ['a broken connection', (response: ServerResponse) => response.destroy()],
])('%s of the service leaves the decision to the list, and is logged without the password', async (_, fail) => {
  answer = fail;
  expect(await isStolen(password)).toBe(false);
  expect(await weaknessOf(password, [], isStolen)).toBeUndefined();
  expect(await weaknessOf('thisisapassword', [], isStolen)).toBeDefined();
  expect(logged.join('')).toContain('the service of stolen passwords failed');
  expect(logged.join('')).not.toContain(password);
  expect(logged.join('')).not.toContain(rest);
});

test('a silent service is given up', async () => {
  answer = () => undefined;
  expect(await stolenPasswordsAt(url, log, 0.1)(password)).toBe(false);
  expect(logged.join('')).toContain('TimeoutError');
});

test('a strong password that was stolen is refused, and says why', async () => {
  answer = (response) => response.end(`${rest}:1`);
  expect(await weaknessOf(password, [], isStolen)).toMatchObject({
    message: 'Password is in a public list of stolen passwords',
  });
});

test('a password that is refused anyway is not looked up', async () => {
  expect(await weaknessOf('password1', [], isStolen)).toBeDefined();
  expect(asked).toEqual([]);
});
