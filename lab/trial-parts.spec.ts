import { expect, test } from 'vitest';
import { simulatorDefaults } from '../bff/src/start/env-variables.ts';
import type { TrialParts } from '../bff/src/start/trial-parts.ts';
import { startDemo } from './demo/start-demo.ts';
import { startMailbox } from './mailbox/start-mailbox.ts';
import { startSimulator } from './square/start-simulator.ts';

const parts: TrialParts = { startSimulator, startMailbox, startDemo };
const place = { host: '127.0.0.1', port: 0 };

test('the server can start each part of a trial by its place', async () => {
  const square = await parts.startSimulator({ ...simulatorDefaults, ...place });
  const mailbox = await parts.startMailbox(place);
  const demo = await parts.startDemo(place);
  expect([square.url, mailbox.smtpUrl, demo.origins[0]]).toEqual([
    expect.stringMatching(/^http:/),
    expect.stringMatching(/^smtp:/),
    expect.stringMatching(/^http:/),
  ]);
  await Promise.all([square.close(), mailbox.close(), demo.close()]);
});
