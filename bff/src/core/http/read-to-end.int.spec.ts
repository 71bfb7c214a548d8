import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { setTimeout } from 'node:timers/promises';
import { testDatabase } from '@kilim/lab/testing/postgres';
import { openShop } from '@kilim/lab/testing/shop';
import { afterAll, expect, test } from 'vitest';
import { listen } from '../../start/listen.ts';

const { appSql } = await testDatabase();
const shop = await openShop(appSql);
const office = 'office.kilim.test';
const origins = { shop: 'http://kilim.test', office: `http://${office}` };
const server = await listen({ host: '127.0.0.1', port: 0, handler: () => shop.appAt(origins) });
afterAll(async () => {
  await server.close(0);
  await shop.close();
});

/** Reads the answer after the whole request, as browsers do. The upload takes longer than a second. */
async function upload(path: string, megabytes: number): Promise<string> {
  const socket = connect(server.port, '127.0.0.1');
  await once(socket, 'connect');
  const length = megabytes * 1024 * 1024;
  const type = 'multipart/form-data; boundary=x';
  socket.write(
    `POST ${path} HTTP/1.1\r\nHost: ${office}\r\nContent-Type: ${type}\r\nContent-Length: ${length}\r\n\r\n`,
  );
  for (let part = 0; part < 12; part += 1) {
    await new Promise<void>((sent, failed) => {
      socket.write(Buffer.alloc(length / 12), (error) => (error ? failed(error) : sent()));
    });
    await setTimeout(100);
  }
  const [answer] = (await once(socket, 'data')) as [Buffer];
  socket.destroy();
  return answer.toString();
}

test.each([
  ['an image that is too large', 6, 'This image is larger than 5 MB. Please choose a smaller one.'],
  ['an image of nobody who is signed in', 3, 'Please sign in.'],
])('%s is answered with a sentence after the upload', async (_, megabytes, sentence) => {
  expect(await upload('/api/admin/images', megabytes)).toContain(`"message":"${sentence}"`);
});

test.each([
  ['with its length', { 'content-length': 300_000 }],
  ['without a length', {}],
])('a call that is too large is answered with a sentence, %s', async (_, length) => {
  const headers = { host: 'kilim.test', 'content-type': 'application/json', ...length };
  const call = request({ port: server.port, path: '/api/quote', method: 'POST', headers });
  // `end` alone would send the length.
  call.write(`"${'x'.repeat(299_998)}"`);
  call.end();
  const [answer] = (await once(call, 'response')) as [IncomingMessage];
  expect(answer.statusCode).toBe(413);
  expect(await text(answer)).toContain('The request is larger than 256 KiB.');
});
