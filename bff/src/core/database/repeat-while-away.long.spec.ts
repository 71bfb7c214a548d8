import { once } from 'node:events';
import { createServer, type Socket } from 'node:net';
import { expect, test } from 'vitest';
import { connect } from './database.ts';
import { isDatabaseAway } from './failures.ts';
import { repeatWhileAway } from './repeat-while-away.ts';

test('work that waits behind connections that never become ready fails after 4 s', async () => {
  const accepted: Socket[] = [];
  const mute = createServer((socket) => void accepted.push(socket.on('error', () => undefined)));
  await once(mute.listen(0, '127.0.0.1'), 'listening');
  const address = mute.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  const sql = connect({ url: `postgres://nobody@127.0.0.1:${port}/kilim`, max: 1, applicationName: 'mute spec' });
  const started = performance.now();
  // Each statement waits 2 s for the only connection.
  const failures = await Promise.all(
    Array.from({ length: 6 }, () =>
      repeatWhileAway(() => sql`select 1`).catch((error: unknown) => ({
        isAway: isDatabaseAway(error),
        seconds: (performance.now() - started) / 1000,
      })),
    ),
  );
  for (const failure of failures) expect(failure).toEqual({ isAway: true, seconds: expect.toSatisfy(isInTime) });
  for (const socket of accepted) socket.destroy();
  mute.close();
  await sql.end({ timeout: 0 });
});

/** Without the limit, the last one fails after 12 s. */
const isInTime = (seconds: number) => seconds < 10;
