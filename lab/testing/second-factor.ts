import { setTimeout } from 'node:timers/promises';
import type { Sql } from '../../bff/src/core/database/database.ts';
import { codeOfStep, stepAt } from '../../bff/src/people/sign-in/second-factor/one-time-code.ts';
import { byOperator } from '../../bff/src/people/use-case/record-admin-events.ts';
import { resetSecondFactor } from '../../bff/src/people/use-case/second-factor.ts';
import { ada, type Browser } from './administrator.ts';
import type { Authenticator, Wrong } from './authenticator.ts';

/** @param later steps of 30 seconds from now. */
export function codeOf(base32: string, later = 0): string {
  return codeOfStep(bytesOf(base32), stepAt(new Date()) + later);
}

function bytesOf(base32: string): Buffer {
  const bits = [...base32].map((letter) =>
    'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'.indexOf(letter).toString(2).padStart(5, '0'),
  );
  return Buffer.from((bits.join('').match(/.{8}/g) ?? []).map((byte) => Number.parseInt(byte, 2)));
}

async function bodyOf<Body>(answer: Promise<Response>): Promise<Body> {
  const { status, ...rest } = await answer.then(async (got) => ({ status: got.status, body: await got.json() }));
  if (status !== 200) throw new Error(`${status} ${JSON.stringify(rest.body)}`);
  return rest.body as Body;
}

export type AddedApp = { readonly secret: string; readonly recoveryCodes: readonly string[] };

const stepMs = 30_000;

/** Uses the code of the step before, so the current one is free. */
export async function addApp(browser: Browser): Promise<AddedApp> {
  // A step must not end between a code and its check.
  const leftMs = stepMs - (Date.now() % stepMs);
  if (leftMs < 2000) await setTimeout(leftMs);
  const path = '/api/admin/second-factor/one-time-code';
  const { secret } = await bodyOf<{ secret: string }>(browser.post(`${path}/secret`, {}));
  const asked = { name: 'Phone', code: codeOf(secret, -1) };
  const { recoveryCodes } = await bodyOf<{ recoveryCodes: readonly string[] | null }>(browser.post(path, asked));
  return { secret, recoveryCodes: recoveryCodes ?? [] };
}

/** @param path of the call for options. */
export async function challengeFor(browser: Browser, path: string): Promise<string> {
  return (await bodyOf<{ challenge: string }>(browser.post(`${path}/options`, {}))).challenge;
}

export async function addPasskeyOf(browser: Browser, authenticator: Authenticator, wrong: Wrong = {}) {
  const path = '/api/admin/second-factor/passkeys';
  const credential = authenticator.create(await challengeFor(browser, path), wrong);
  return await browser.post(path, { name: 'Laptop', credential });
}

/**
 * The first step of a sign-in.
 * @returns its status.
 */
export async function givePassword(browser: Browser): Promise<number> {
  return (await browser.post('/api/admin/login', ada)).status;
}

/** As the operator does, so that the next test begins with the password alone. */
export async function forgetFactors(ownerSql: Sql): Promise<void> {
  await resetSecondFactor({ sql: ownerSql, now: () => new Date() }, ada.username, byOperator);
  await ownerSql`delete from kilim.throttle`;
}
