import { writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { squareOrigins } from '../../bff/src/core/http/site/content-security-policy.ts';
import { startSimulator } from '../square/start-simulator.ts';
import { type Result, runChecks } from './checks.ts';
import { readExamples, serveExamples } from './examples.ts';
import { createAnonymizer, differencesOf } from './shape.ts';
import { openTarget, type Place, type Target } from './target.ts';

// Asks Square's sandbox and a local Square the same, and prints where they differ. See README.md in this folder.

const account = { accessToken: 'check', applicationId: 'sandbox-sq0idb-check', locationId: 'LCHECK' };
const local = await startSimulator({ ...account, host: '127.0.0.1', port: 0, settings: { hostile: false } });
const { values } = parseArgs({ options: { against: { type: 'string', default: 'sandbox' } } });
const say = (line: string) => void process.stdout.write(`${line}\n`);

function sandbox(): Place {
  const { SQUARE_ENVIRONMENT, SQUARE_ACCESS_TOKEN, SQUARE_LOCATION_ID, SQUARE_APPLICATION_ID } = process.env;
  // The checks take money and give it back.
  if (SQUARE_ENVIRONMENT !== 'sandbox' || !SQUARE_ACCESS_TOKEN || !SQUARE_LOCATION_ID) {
    throw new Error(
      'Set SQUARE_ENVIRONMENT=sandbox, SQUARE_ACCESS_TOKEN and SQUARE_LOCATION_ID, or add -- --against local.',
    );
  }
  return {
    accessToken: SQUARE_ACCESS_TOKEN,
    locationId: SQUARE_LOCATION_ID,
    applicationId: SQUARE_APPLICATION_ID ?? '',
    baseUrl: 'https://connect.squareupsandbox.com',
    scriptUrl: 'https://sandbox.web.squarecdn.com/v1/square.js',
    hosts: squareOrigins('sandbox'),
    lateSeconds: 20,
  };
}

function atLocal(): Place {
  return { ...account, baseUrl: local.url, scriptUrl: `${local.url}/v1/square.js` };
}

async function placeOf(against: string): Promise<{ readonly place: Place; readonly close?: () => void }> {
  if (against === 'sandbox') return { place: sandbox() };
  if (against === 'local') return { place: atLocal() };
  if (against !== 'examples') throw new Error('--against takes sandbox, local or examples.');
  const { url, close } = await serveExamples(readExamples('published-examples.json'));
  return { place: { ...account, baseUrl: url, scriptUrl: `${local.url}/v1/square.js` }, close };
}

function print(real: readonly Result[], own: readonly Result[]): number {
  let wrong = 0;
  for (const [at, { name, expected, said, shape }] of real.entries()) {
    const there = own[at];
    const isWrong = expected !== undefined && said !== expected;
    const differs = there?.said !== said;
    if (isWrong || differs) wrong += 1;
    say(`${isWrong ? 'FAILS ' : differs ? 'DIFFERS' : 'ok    '} ${name}: ${said}`);
    if (isWrong) say(`          expected: ${expected}`);
    if (differs) say(`          the local Square: ${there?.said}`);
    if (there !== undefined) for (const line of differencesOf(shape, there.shape)) say(`          ${line}`);
  }
  return wrong;
}

function write({ recorded }: Target): void {
  const anonymize = createAnonymizer();
  const answers = recorded.map(({ body, ...answer }) => JSON.stringify({ ...answer, body: anonymize(body) }));
  const source = `npm run square:check -- --against ${values.against}, ${new Date().toISOString().slice(0, 10)}`;
  const text = `{\n  "source": ${JSON.stringify(source)},\n  "answers": [\n    ${answers.join(',\n    ')}\n  ]\n}\n`;
  writeFileSync(new URL('fixtures/answers.json', import.meta.url), text);
}

try {
  const { place, close } = await placeOf(values.against);
  const target = openTarget(place);
  const real = await runChecks(target);
  const wrong = print(real, await runChecks(openTarget(atLocal())));
  if (values.against !== 'examples') write(target);
  close?.();
  say(`${real.length} checks, ${wrong} fail or differ. + only there, - only at the local Square, ~ another type.`);
  process.exitCode = wrong === 0 ? 0 : 1;
} catch (error) {
  say(error instanceof Error ? error.message : String(error));
  process.exitCode = 2;
} finally {
  await local.close();
}
