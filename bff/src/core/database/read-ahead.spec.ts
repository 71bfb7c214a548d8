import { setImmediate } from 'node:timers/promises';
import { expect, onTestFinished, test } from 'vitest';
import { connect } from './database.ts';
import { readAhead } from './read-ahead.ts';

test('without a database, the reading fails, and no rejection ends the process', async () => {
  const unhandled: unknown[] = [];
  const note = (error: unknown) => void unhandled.push(error);
  process.on('unhandledRejection', note);
  onTestFinished(() => void process.off('unhandledRejection', note));
  const sql = connect({ url: 'postgres://127.0.0.1:1/none', max: 1, applicationName: 'read-ahead spec' });
  onTestFinished(() => sql.end({ timeout: 1 }));
  const parts = readAhead(sql, async function* () {
    yield 'part';
  });
  await expect(parts.next()).rejects.toThrow('ECONNREFUSED');
  await setImmediate();
  expect(unhandled).toEqual([]);
});
