import { freePort } from '@kilim/lab/testing/free-port';
import { expect, test } from 'vitest';
import { listen } from './listen.ts';

test('a server whose handler cannot be made frees its port', async () => {
  const port = await freePort();
  const handler = () => {
    throw new Error('The front end is not built yet');
  };
  await expect(listen({ host: '127.0.0.1', port, handler })).rejects.toThrow('not built yet');
  await expect(fetch(`http://127.0.0.1:${port}/`)).rejects.toMatchObject({ cause: { code: 'ECONNREFUSED' } });
});
