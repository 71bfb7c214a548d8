import { once } from 'node:events';
import { connect } from 'node:net';
import { Hono } from 'hono';
import { afterAll, expect, test } from 'vitest';
import { listen } from './listen.ts';

const app = new Hono().post('/', async (c) => c.text(await c.req.text()));
const server = await listen({ host: '127.0.0.1', port: 0, handler: () => app });
afterAll(() => server.close(0));

test.each([
  ['that sends nothing', '', 10],
  ['whose headers never end', 'GET / HTTP/1.1\r\nHost: a.test\r\nX-Slow: ', 10],
  ['whose body never ends', 'POST / HTTP/1.1\r\nHost: a.test\r\nContent-Length: 100000\r\n\r\n', 30],
] as const)('a client %s is cut off soon after its limit', { timeout: 60_000 }, async (_, start, limit) => {
  const began = performance.now();
  const socket = connect(server.port, '127.0.0.1');
  socket.on('error', () => undefined);
  await once(socket, 'connect');
  socket.write(start);
  const drip = start === '' ? undefined : setInterval(() => socket.write('a'), 500);
  socket.resume();
  await once(socket, 'close');
  clearInterval(drip);
  const seconds = (performance.now() - began) / 1000;
  expect(seconds).toBeGreaterThan(limit - 1);
  // Two seconds later at most. A slow machine may need more.
  expect(seconds).toBeLessThan(limit + 15);
});
