import { setImmediate } from 'node:timers/promises';
import { postgresOfWorker } from '@kilim/lab/testing/postgres';
import { expect, test } from 'vitest';
import { connect } from '../database.ts';

test('a new connection sends no statement of its own, so none can fail without a handler', async () => {
  const unhandled: unknown[] = [];
  const note = (reason: unknown) => unhandled.push(reason);
  process.on('unhandledRejection', note);
  // The statement for the array types takes longer than a millisecond.
  const url = postgresOfWorker();
  const sql = connect({ url, max: 1, applicationName: 'options spec', statementTimeoutSeconds: 0.001 });
  for (let tries = 0; tries < 5; tries += 1) {
    await sql`select 1`.catch((error: unknown) => expect(error).toMatchObject({ code: '57014' }));
  }
  await sql.end({ timeout: 1 });
  // Rejections without a handler are reported at the end of a turn.
  await setImmediate();
  process.off('unhandledRejection', note);
  expect(unhandled).toEqual([]);
});
