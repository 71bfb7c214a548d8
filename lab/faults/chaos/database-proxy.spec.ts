import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { setTimeout } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { patience } from '../../testing/patience.ts';
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

/** A leaked socket keeps the process alive. */
const connections = () => process.getActiveResourcesInfo().filter((name) => name === 'TCPSocketWrap').length;

test('a cut closes every connection, even one that is closing at that moment', async () => {
  const database = await listen((socket) => socket.pipe(socket));
  const proxy = await openDatabaseProxy(`postgres://127.0.0.1:${database.port}/any`);
  const signal = await listen((socket) => socket.once('data', proxy.cut));
  const signalling = await connectTo(signal.port);
  const clients = await Promise.all(Array.from({ length: 5 }, () => connectTo(Number(new URL(proxy.url).port))));
  for (const client of clients) {
    client.write('through');
    await once(client, 'data');
  }
  // The proxy is about to pass these ends on when the signal to cut arrives.
  for (const client of clients) client.end();
  clients.at(-1)?.once('finish', () => signalling.end('cut'));
  await once(signalling, 'close');
  await proxy.close();
  await expect.poll(connections, patience).toBe(0);
  signal.close();
  database.close();
});

/** The database echoes its input. */
async function throughProxy() {
  const database = await listen((socket) => socket.pipe(socket));
  const proxy = await openDatabaseProxy(`postgres://127.0.0.1:${database.port}/any`);
  const port = Number(new URL(proxy.url).port);
  const open = async () => {
    const client = await connectTo(port);
    let heard = '';
    client.on('data', (bytes) => (heard += bytes.toString()));
    return { client, heard: () => heard };
  };
  const close = async () => {
    await proxy.close();
    database.close();
  };
  return { proxy, open, close };
}

const aWhile = 100;

test('a silent connection stays open, and delivers the held bytes after the silence', async () => {
  const { proxy, open, close } = await throughProxy();
  const { client, heard } = await open();
  proxy.silence({ direction: 'both ways', isForNewConnections: false });
  client.write('one, ');
  await setTimeout(aWhile);
  expect({ heard: heard(), isOpen: !client.destroyed }).toEqual({ heard: '', isOpen: true });
  const later = await open();
  later.client.write('new');
  await expect.poll(later.heard).toBe('new');
  client.write('two');
  proxy.endSilence('resume');
  await expect.poll(heard).toBe('one, two');
  for (const each of [client, later.client]) each.destroy();
  await close();
});

test('a silence can end in a reset, or last for ever while new connections work', async () => {
  const { proxy, open, close } = await throughProxy();
  const reset = await open();
  proxy.silence({ direction: 'to the server', isForNewConnections: true });
  const asked = await open();
  asked.client.write('anything');
  await setTimeout(aWhile);
  expect(asked.heard()).toBe('');
  proxy.endSilence('reset');
  await expect.poll(() => [reset.client.destroyed, asked.client.destroyed]).toEqual([true, true]);

  const forgotten = await open();
  proxy.silence({ direction: 'both ways', isForNewConnections: false });
  forgotten.client.write('anything');
  proxy.endSilence('forget');
  const later = await open();
  later.client.write('new');
  await expect.poll(later.heard).toBe('new');
  expect({ heard: forgotten.heard(), isOpen: !forgotten.client.destroyed }).toEqual({ heard: '', isOpen: true });
  for (const { client } of [forgotten, later]) client.destroy();
  await close();
});
