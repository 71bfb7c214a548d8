import { expect, test } from 'vitest';
import { listen } from './listen.ts';

test('a server whose handler cannot be made frees its port', async () => {
  let taken = 0;
  const handler = (port: number) => {
    taken = port;
    throw new Error('The front end is not built yet');
  };
  await expect(listen({ host: '127.0.0.1', port: 0, handler })).rejects.toThrow('not built yet');
  await expect(fetch(`http://127.0.0.1:${taken}/`)).rejects.toMatchObject({ cause: { code: 'ECONNREFUSED' } });
});
