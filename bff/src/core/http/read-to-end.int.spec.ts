import { once } from 'node:events';
import { connect } from 'node:net';
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
