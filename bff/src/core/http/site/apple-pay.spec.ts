import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Hono } from 'hono';
import { afterAll, expect, test } from 'vitest';
import type { RequestEnv } from '../request-id.ts';
import { createServe } from '../serve.ts';
import { readDomainAssociation, serveApplePay } from './apple-pay.ts';

const folder = await mkdtemp(join(tmpdir(), 'kilim-apple-pay-'));
afterAll(() => rm(folder, { recursive: true, force: true }));

const fromApple = '7B227073704964223A2239373943394538343346';

function ask(domainAssociation: string | undefined) {
  const app = new Hono<RequestEnv>();
  serveApplePay(createServe(app), domainAssociation);
  return app.request('/.well-known/apple-developer-merchantid-domain-association');
}

test('Apple gets the configured file', async () => {
  const answer = await ask(fromApple);
  expect(answer.status).toBe(200);
  expect(answer.headers.get('content-type')).toMatch(/^text\/plain/);
  expect(await answer.text()).toBe(fromApple);
});

test('a shop without Apple Pay has no such file', async () => {
  expect((await ask(undefined)).status).toBe(404);
});

test('the configuration is the text itself or a path to it', async () => {
  const path = join(folder, 'apple-developer-merchantid-domain-association');
  await writeFile(path, fromApple);
  expect(await readDomainAssociation(path)).toBe(fromApple);
  expect(await readDomainAssociation(fromApple)).toBe(fromApple);
  expect(await readDomainAssociation(undefined)).toBeUndefined();
});

test('a missing file stops the start with the name of its variable', async () => {
  await expect(readDomainAssociation(join(folder, 'nowhere'))).rejects.toThrow(
    'APPLE_PAY_DOMAIN_ASSOCIATION names a file that cannot be read.',
  );
});
