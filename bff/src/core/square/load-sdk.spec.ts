import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';

const script = `
  import { createRequire } from 'node:module';
  import { loadSdk } from ${JSON.stringify(new URL('./load-sdk.ts', import.meta.url))};
  const require = createRequire(${JSON.stringify(import.meta.url)});
  const { connect, isSquareError } = loadSdk();
  const files = Object.keys(require.cache).length;
  const { payments } = connect({ token: 'token', baseUrl: 'http://127.0.0.1:1', maxRetries: 0 });
  const failed = await payments.get({ paymentId: 'A' }).catch(isSquareError);
  const { SquareError, Square } = require('square');
  const whole = Object.keys(require.cache).length;
  const ofWhole = isSquareError(new SquareError({})) && Square.Currency.Usd;
  process.stdout.write(JSON.stringify({ files, failed, whole, ofWhole }));
`;

test("calls load a small part of Square's SDK, and leave the whole one as it is for others", async () => {
  const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '--eval', script]);
  const { files, whole, ...said } = JSON.parse(stdout) as { readonly files: number; readonly whole: number };
  expect(files).toBeLessThan(200);
  expect(whole).toBeGreaterThan(3000);
  expect(said).toEqual({ failed: true, ofWhole: 'USD' });
});
