import { connect, createServer } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { freePort } from './free-port.ts';

test('each port is given once, and none is one that the system gives to others', async () => {
  const ports = await Promise.all(Array.from({ length: 200 }, freePort));
  expect(new Set(ports).size).toBe(ports.length);
  const server = createServer();
  onTestFinished(() => void server.close());
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  const address = server.address();
  const given = typeof address === 'object' && address !== null ? address.port : 0;
  const client = connect(given, '127.0.0.1');
  onTestFinished(() => void client.destroy());
  await new Promise<void>((connected) => client.once('connect', connected));
  expect(Math.max(...ports)).toBeLessThan(Math.min(given, client.localPort ?? 0));
});
