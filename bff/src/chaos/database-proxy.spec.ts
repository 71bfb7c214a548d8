import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { expect, test } from 'vitest';
import { openDatabaseProxy } from './database-proxy.ts';

async function listen(onConnection: (socket: Socket) => void): Promise<{ port: number; close: () => void }> {
  const server = createServer((socket) => onConnection(socket.on('error', () => undefined)));
  await once(server.listen(0, '127.0.0.1'), 'listening');
  return { port: (server.address() as AddressInfo).port, close: () => void server.close() };
}

async function connectTo(port: number): Promise<Socket> {
  const socket = connect(port, '127.0.0.1').on('error', () => undefined);
  await once(socket, 'connect');
  return socket.setNoDelay(true);
}

/** Of this process, also those that nobody can close any more: they would keep it from ending. */
const connections = () => process.getActiveResourcesInfo().filter((name) => name === 'TCPSocketWrap').length;

test('a cut closes every connection, even one that was just about to end by itself', async () => {
  const database = await listen((socket) => socket.pipe(socket));
  const proxy = await openDatabaseProxy(`postgres://127.0.0.1:${database.port}/any`);
  const signal = await listen((socket) => socket.once('data', proxy.cut));
  const signalling = await connectTo(signal.port);
  const clients = await Promise.all(Array.from({ length: 5 }, () => connectTo(Number(new URL(proxy.url).port))));
  for (const client of clients) {
    client.write('through');
    await once(client, 'data');
  }
  // All of it arrives in this order and at the same time: the proxy has read the ends, and is about to pass them on, when it is to cut.
  for (const client of clients) client.end();
  clients.at(-1)?.once('finish', () => signalling.end('cut'));
  await once(signalling, 'close');
  await proxy.close();
  await expect.poll(connections, { timeout: 3000 }).toBe(0);
  signal.close();
  database.close();
});
