import { generateKeyPairSync } from 'node:crypto';
import { makeAdministrator, openBrowser } from '@kilim/lab/testing/administrator';
import { testDatabase } from '@kilim/lab/testing/postgres';
import { settled } from '@kilim/lab/testing/settled';
import { openShop, paid, paymentFor, quoted } from '@kilim/lab/testing/shop';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { GlanceAnswer } from '../../../contract/glance.ts';
import { seal } from '../checkpoint.ts';
import { findNotes } from '../find-notes.ts';
import { ledgerSigner } from '../signing-key.ts';
import type { WitnessPlace } from './witness.ts';
import { rememberWitnessed } from './witnessed.ts';

const signer = ledgerSigner(
  generateKeyPairSync('ed25519').privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
  'Test',
);
const { appSql, ownerSql } = await testDatabase();
const send = async () => 'kept';
const authority: WitnessPlace = { kind: 'timestamp', to: 'time.example' };
const mail: WitnessPlace = { kind: 'mail', to: 'accountant.example' };
const metricsToken = 'a9d4e07c5b1f4a2e';
const shop = await openShop(appSql, {
  metricsToken,
  proof: { signer, witnesses: [authority, mail].map((place) => ({ ...place, send })) },
});
afterAll(shop.close);
await makeAdministrator(appSql);
const browser = openBrowser(shop);
const range = 'from=2026-10-01&to=2026-10-31';

beforeAll(async () => void (await browser.signIn()));

async function shown(): Promise<GlanceAnswer['witnesses']> {
  return ((await (await browser.get('/api/admin/books/glance')).json()) as GlanceAnswer).witnesses;
}

async function beginWithoutNote() {
  expect((await browser.get('/api/admin/ledger/note')).status).toBe(404);
  expect(
    (await browser.get(`/api/admin/ledger/export?format=csv&${range}`)).headers.get('ledger-checkpoint'),
  ).toBeNull();
  expect(await shown()).toEqual([
    { ...authority, last: null, isLate: false },
    { ...mail, last: null, isLate: false },
  ]);
}

async function downloadNote() {
  await paid(shop, paymentFor(await quoted(shop)));
  await settled(appSql);
  const newest = await seal(appSql, signer);
  if (newest === undefined) throw new Error('nothing was sealed');
  for (const format of ['csv', 'jsonl', 'quickbooks-csv']) {
    const answer = await browser.get(`/api/admin/ledger/export?format=${format}&${range}`);
    expect(answer.headers.get('ledger-checkpoint')).toBe(`1 ${newest.root.toString('base64')}`);
    expect(await answer.text()).not.toContain('kilim/ledger');
  }
  const answer = await browser.get('/api/admin/ledger/note');
  expect(answer.headers.get('content-disposition')).toBe('attachment; filename="checkpoint-00000001.txt"');
  expect(await findNotes(Buffer.from(await answer.arrayBuffer()))).toEqual([newest.note]);
}

async function downloadNoteByToken() {
  const made = await browser.post('/api/admin/export-tokens', { name: 'script' });
  const { token } = (await made.json()) as { token: string };
  const withToken = (bearer: string) => shop.get('/api/admin/ledger/note', { authorization: `Bearer ${bearer}` });
  expect((await withToken(token)).status).toBe(200);
  expect((await withToken(`${token}x`)).status).toBe(401);
}

async function showAges() {
  await rememberWitnessed(appSql, authority, { sequence: 1, receipt: 'a timestamp' });
  await ownerSql.begin(async (owner) => {
    await owner`alter table ledger.checkpoint disable trigger all`;
    await owner`update ledger.checkpoint set sealed_at = sealed_at - interval '27 hours'`;
  });
  expect(await shown()).toEqual([
    { ...authority, last: { sequence: 1, sentAt: expect.any(String) }, isLate: false },
    { ...mail, last: null, isLate: true },
  ]);
  const text = await (await shop.get('/metrics', { authorization: `Bearer ${metricsToken}` })).text();
  const age = (kind: string) =>
    Number(new RegExp(`kilim_witness_age_seconds\\{kind="${kind}"\\} (\\S+)`).exec(text)?.[1]);
  expect(age('timestamp')).toBeLessThan(60);
  expect(Math.round(age('mail') / 3600)).toBe(27);
}

async function checkClosing() {
  const checklist = async () => await (await browser.get('/api/admin/books/checklist?through=2026-01-31')).text();
  expect(await checklist()).toContain(`No note reached ${mail.to} within the last day.`);
  await rememberWitnessed(appSql, mail, { sequence: 1, receipt: '250 kept' });
  expect(await checklist()).toContain('Every place outside this server has a note that is at most 1 hour old.');
}

test('every export names the newest note, and the books show which witness lacks it', async () => {
  await beginWithoutNote();
  await downloadNote();
  await downloadNoteByToken();
  await showAges();
  await checkClosing();
});
