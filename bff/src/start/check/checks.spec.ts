import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { parseEnvironment } from '../env.ts';
import { listen } from '../listen.ts';
import { checkDataDir, judgeSpace } from './check-disk.ts';
import { checkPort, explainListenError, isKilim } from './check-port.ts';
import { checkSecrets, checkSecretsThoroughly } from './check-variables.ts';

const folder = await mkdtemp(join(tmpdir(), 'kilim-check-'));
afterAll(() => rm(folder, { recursive: true }));

const sandbox = {
  SQUARE_ACCESS_TOKEN: 'EAAA-sandbox-token',
  SQUARE_APPLICATION_ID: 'sandbox-sq0idb-shop',
  SQUARE_LOCATION_ID: 'LSHOP',
};

function environmentOf(variables: Readonly<Record<string, string>>) {
  const parsed = parseEnvironment(variables);
  if (!parsed.ok) throw new Error(parsed.rejection.join());
  return parsed.value;
}

test.each([
  [{ METRICS_TOKEN: 'x' }, ['METRICS_TOKEN']],
  [{ METRICS_TOKEN: 'a9d4e07c5b1f4a2e' }, []],
  [{ ADMIN_PASSWORD: 'x' }, ['ADMIN_PASSWORD']],
  [{ SQUARE_ENVIRONMENT: 'sandbox', ...sandbox }, ['SQUARE_WEBHOOK_SIGNATURE_KEY']],
  [{}, []],
])('secrets that are absent or can be guessed are warnings: %o', (variables, named) => {
  const found = checkSecrets(environmentOf(variables));
  expect(found.map(({ variable }) => variable)).toEqual(named);
  expect(found.every(({ level }) => level === 'warning')).toBe(true);
});

test('a long password that is easy to guess is a warning of the doctor', async () => {
  const environment = environmentOf({ ADMIN_PASSWORD: 'passwordpassword' });
  expect(checkSecrets(environment)).toEqual([]);
  const found = await checkSecretsThoroughly(environment);
  expect(found).toMatchObject([{ level: 'warning', variable: 'ADMIN_PASSWORD' }]);
  expect(JSON.stringify(found)).not.toContain('passwordpassword');
});

test('a port that another program uses is named, at the start and by the doctor', async () => {
  const options = { host: '127.0.0.1', handler: () => ({ fetch: () => new Response('a web page') }) };
  const busy = await listen({ ...options, port: 0 });
  const { port } = busy;
  try {
    for (const variable of ['PORT', 'OFFICE_PORT', 'SIMULATOR_PORT', 'DEMO_PARENT_PORT'] as const) {
      const problem = `another program listens on 127.0.0.1:${port}.`;
      expect(await checkPort({ variable, host: '127.0.0.1', port })).toMatchObject([
        { level: 'error', variable, problem },
      ]);
      await expect(listen({ ...options, variable, port })).rejects.toThrow(`${variable}: ${problem}`);
    }
    expect(await isKilim({ host: '127.0.0.1', port })).toBe(false);
  } finally {
    await busy.close(0);
  }
  expect(await checkPort({ variable: 'PORT', host: '127.0.0.1', port })).toEqual([]);
});

test('a host of another machine is named', async () => {
  // An address for documentation, RFC 5737.
  const place = { variable: 'PORT', host: '192.0.2.1', port: 0 } as const;
  expect(await checkPort(place)).toMatchObject([{ level: 'error', variable: 'HOST' }]);
  const notAllowed = Object.assign(new Error('listen EACCES'), { code: 'EACCES' });
  expect(explainListenError(notAllowed, { ...place, port: 80 })).toMatchObject({ variable: 'PORT' });
});

test('DATA_DIR must be a directory that can be written to; it need not exist yet', async () => {
  expect((await checkDataDir(folder)).filter(({ level }) => level === 'error')).toEqual([]);
  expect(await checkDataDir(join(folder, 'not', 'yet'))).toEqual(await checkDataDir(folder));
  const file = join(folder, 'file');
  await writeFile(file, '');
  for (const wrong of [file, join(file, 'below')]) {
    expect(await checkDataDir(wrong)).toMatchObject([{ level: 'error', variable: 'DATA_DIR' }]);
  }
});

test.each([
  [5000, undefined],
  [1024, undefined],
  [1000, 'warning'],
  [100, 'error'],
])('a disk with %i MB left', (megabytes, level) => {
  const [found] = judgeSpace(megabytes, '/var/lib/kilim');
  expect(found?.level).toBe(level);
});
