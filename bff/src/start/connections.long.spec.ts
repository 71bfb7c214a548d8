import { once } from 'node:events';
import { request } from 'node:http';
import { connect, type Socket } from 'node:net';
import { patience } from '@kilim/lab/testing/patience';
import { Hono } from 'hono';
import { afterEach, expect, test, vi } from 'vitest';
import { type Listening, listen } from './listen.ts';

const app = new Hono()
  .get('/', (c) => c.text(`served ${new URL(c.req.url).pathname}`))
  .post('/', async (c) => c.text(await c.req.text()));
const servers: Listening[] = [];
const sockets: Socket[] = [];
afterEach(async () => {
  for (const socket of sockets.splice(0)) socket.destroy();
  await Promise.all(servers.splice(0).map(({ close }) => close(0)));
});

async function open(trustedProxies: number): Promise<number> {
  const server = await listen({ host: '127.0.0.1', port: 0, trustedProxies, handler: () => app });
  servers.push(server);
  return server.port;
}

/** All of 127.0.0.0/8 is this machine. */
async function connectFrom(localAddress: string, port: number): Promise<Socket> {
  const socket = connect({ host: '127.0.0.1', port, localAddress });
  socket.on('error', () => undefined);
  // Else the end of a connection would wait for a reader.
  if (localAddress !== '127.0.0.1') socket.resume();
  sockets.push(socket);
  await once(socket, 'connect');
  return socket;
}

function statusFor(localAddress: string, port: number): Promise<number | string> {
  return new Promise((resolve) => {
    request({ host: '127.0.0.1', port, localAddress, agent: false }, (answer) => resolve(answer.statusCode ?? 0))
      .on('error', () => resolve('refused'))
      .end();
  });
}

/** In batches that fit into the kernel's queue. */
async function openIdle(port: number, count: number): Promise<void> {
  for (let opened = 0; opened < count; opened += 205) {
    const batch = Math.min(205, count - opened);
    await Promise.all(Array.from({ length: batch }, () => connectFrom('127.0.0.2', port)));
  }
}

const openSockets = () => sockets.filter(({ readyState }) => readyState === 'open').length;

test('2,050 idle connections from one address leave the server to all others', async () => {
  const port = await open(0);
  await openIdle(port, 2_050);
  await vi.waitFor(() => expect(openSockets()).toBe(100), patience);
  expect(await statusFor('127.0.0.2', port)).toBe('refused');
  for (let time = 0; time < 20; time += 1) expect(await statusFor('127.0.0.1', port)).toBe(200);
});

test('a closed connection makes room for the next one of its address', async () => {
  const port = await open(0);
  await openIdle(port, 100);
  expect(await statusFor('127.0.0.2', port)).toBe('refused');
  sockets.pop()?.destroy();
  await vi.waitFor(async () => expect(await statusFor('127.0.0.2', port)).toBe(200), patience);
});

test('behind a proxy no address is limited, because all connections are the proxy’s', async () => {
  const port = await open(1);
  await openIdle(port, 300);
  expect(await statusFor('127.0.0.2', port)).toBe(200);
});

test.each([
  ['two Host lines', '/', 'Host: orders.example\r\nHost: evil.example'],
  ['a number that is no address', '/', 'Host: 9007199254740993'],
  ['a port that does not exist', '/', 'Host: orders.example:99999'],
  ['no Host', '/', 'x: y'],
  ['a path that browsers read as another one', '/admin\\x', 'Host: orders.example'],
  ['an address of another scheme', 'http://[', 'Host: orders.example'],
])('a request with %s is answered 400, and its answer may not be framed', async (_, path, lines) => {
  const port = await open(0);
  for (const method of ['GET', 'POST']) {
    const socket = await connectFrom('127.0.0.1', port);
    socket.write(`${method} ${path} HTTP/1.1\r\n${lines}\r\ncontent-length: 0\r\n\r\n`);
    const [answer] = (await once(socket, 'data')) as [Buffer];
    expect(answer.toString()).toMatch(/^HTTP\/1\.1 400 /);
    expect(answer.toString()).toContain("frame-ancestors 'none'");
    expect(answer.toString()).toContain('x-content-type-options: nosniff');
  }
});
