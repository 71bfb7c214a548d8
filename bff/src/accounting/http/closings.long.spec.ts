import { generateKeyPairSync, hash } from 'node:crypto';
import { ada, makeAdministrator, makePerson, openBrowser } from '@kilim/lab/testing/administrator';
import { mailRecipients, openMailDesk } from '@kilim/lab/testing/mails';
import { testDatabase } from '@kilim/lab/testing/postgres';
import { settled } from '@kilim/lab/testing/settled';
import { openShop } from '@kilim/lab/testing/shop';
import { appendFacts, lateFact, workedMonth } from '@kilim/lab/testing/worked-month';
import { afterAll, expect, test } from 'vitest';
import type { Books } from '../../../contract/books.ts';
import type { CertificateAnswer, Checklist } from '../../../contract/certificate.ts';
import { exportFormats } from '../../../contract/exports.ts';
import { seal } from '../../proof/checkpoint.ts';
import { findNotes } from '../../proof/find-notes.ts';
import { ledgerSigner } from '../../proof/signing-key.ts';
import { certifyClosings } from '../use-case/certify-closings.ts';

const { appSql, ownerSql } = await testDatabase();
const shop = await openShop(appSql);
afterAll(shop.close);
await makeAdministrator(appSql);
const cleo = { username: 'cleo', password: 'marble thicket violin 35' };
const ben = { username: 'ben', password: 'copper lantern orchard 12' };
await makePerson(appSql, cleo, 'accountant');
await makePerson(appSql, ben, 'clerk');
const owner = openBrowser(shop);
const accountant = openBrowser(shop, cleo);
const clerk = openBrowser(shop, ben);
await Promise.all([owner, accountant, clerk].map((browser) => browser.signIn()));
await appendFacts(appSql, workedMonth);
await settled(appSql);

const world = { sql: appSql, now: () => new Date(), timeZone: 'America/Los_Angeles' };
const certificatePath = (version: number) => `/api/admin/books/closings/${version}/certificate`;
const readBooks = async () => (await (await owner.get('/api/admin/books')).json()) as Books;
const certificateOf = async (version: number) =>
  (await (await accountant.get(certificatePath(version))).json()) as CertificateAnswer;
const exported = async (range: string) =>
  await (await accountant.get(`/api/admin/ledger/export?format=general-ledger-csv&${range}`)).text();
const october = 'from=2026-10-01&to=2026-10-31';

async function readChecklist() {
  const answer = await accountant.get('/api/admin/books/checklist?through=2026-10-31');
  expect(answer.status).toBe(200);
  const { checks } = (await answer.json()) as Checklist;
  expect(checks.map(({ point, state, count }) => [point, state, count])).toEqual([
    ['doubt', 'done', 0],
    ['compared', 'open', 1],
    ['differences', 'done', 0],
    ['fees', 'open', 3],
    ['clearing', 'open', 1],
    ['sealed', 'open', 1],
    ['verified', 'open', 1],
    ['witness', 'unknown', 0],
  ]);
}

test('the checklist is for people who keep the books', async () => {
  expect((await clerk.get('/api/admin/books/checklist?through=2026-10-31')).status).toBe(403);
  expect((await owner.get('/api/admin/books/checklist?through=October')).status).toBe(422);
});

async function closeMonth() {
  expect((await accountant.post('/api/admin/books/close', { through: '2026-10-31' })).status).toBe(200);
  expect((await accountant.get(certificatePath(1))).status).toBe(404);
  await certifyClosings(world);
  const answer = await accountant.get(certificatePath(1));
  expect(answer.headers.get('content-disposition')).toContain('kilim-certificate-2026-09-01-to-2026-10-31-1.json');
  const certificate = (await answer.json()) as CertificateAnswer;
  expect(certificate).toMatchObject({ state: 'in-force', closedBy: 'cleo', reopened: null });
  expect(certificate.debits).toBe(certificate.credits);
  expect(certificate.openPoints.map(({ point }) => point)).toEqual([
    'compared',
    'fees',
    'clearing',
    'sealed',
    'verified',
  ]);
  expect((await readBooks()).closings).toMatchObject([{ version: 1, certified: true, reopened: null }]);
  expect((await clerk.get(certificatePath(1))).status).toBe(403);
  expect((await accountant.get(certificatePath(9))).status).toBe(404);
}

async function mailCertificate() {
  await ownerSql`insert into ledger.mail_kind values ('closing-certificate')`;
  const desk = await openMailDesk(shop, { recipients: { ...mailRecipients, shop: undefined } });
  try {
    await desk.sendAll();
    expect(desk.mailbox.mails()).toEqual([]);
    const key = generateKeyPairSync('ed25519').privateKey.export({ type: 'pkcs8', format: 'der' }).toString('base64');
    await seal(appSql, ledgerSigner(key, 'Test'));
    await ownerSql`update ledger.mail set due_at = clock_timestamp()`;
    await desk.sendAll();
    const [mail, ...others] = desk.mailbox.mails();
    expect(others).toEqual([]);
    expect(mail?.to).toEqual([mailRecipients.accountant]);
    expect(mail?.subject).toBe('Certificate of the closing 1: 2026-09-01 to 2026-10-31');
    const [attached] = mail?.attachments ?? [];
    expect(attached?.fileName).toBe('kilim-certificate-2026-09-01-to-2026-10-31-1.json');
    expect(JSON.parse(attached?.content ?? '')).toEqual(await certificateOf(1));
    expect(await findNotes(Buffer.from(mail?.source ?? ''))).toHaveLength(1);
  } finally {
    await desk.close();
  }
}

async function compareDigests() {
  const { from, through, files } = await certificateOf(1);
  expect(files.map(({ format }) => format)).toEqual([...exportFormats]);
  for (const { format, fileName, bytes, sha256 } of files) {
    const answer = await accountant.get(`/api/admin/ledger/export?format=${format}&from=${from}&to=${through}`);
    expect(answer.headers.get('content-disposition')).toContain(`"${fileName}"`);
    const content = Buffer.from(await answer.arrayBuffer());
    expect([content.length, hash('sha256', content, 'hex')]).toEqual([bytes, sha256]);
  }
}

const reopen = (closing: number, browser = owner) =>
  browser.post('/api/admin/books/reopen', { closing, reason: 'late-facts' });

async function refuseReopening() {
  expect((await reopen(1, accountant)).status).toBe(403);
  expect((await reopen(1, clerk)).status).toBe(403);
  expect((await owner.post('/api/admin/books/reopen', { closing: 1, reason: 'I like to' })).status).toBe(422);
  await owner.age(ownerSql, 3600);
  const refused = await reopen(1);
  expect([refused.status, await refused.json()]).toMatchObject([403, { code: 'ReauthenticationRequired' }]);
  await owner.post('/api/admin/reauthenticate', { username: ada.username, password: ada.password });
}

async function reopenMonth() {
  const before = await exported(october);
  await appendFacts(appSql, [lateFact]);
  await settled(appSql);
  expect(await exported(october)).toBe(before);
  const answer = await reopen(1);
  expect(answer.status, await answer.clone().text()).toBe(200);
  const books = (await answer.json()) as Books;
  expect(books.closedThrough).toBeNull();
  expect(books.closings).toMatchObject([{ version: 1, reopened: { by: 'ada', reason: 'late-facts' } }]);
  expect(await exported(october)).toContain('Processing fee');
  expect(await exported(october)).not.toBe(before);
  expect(await certificateOf(1)).toMatchObject({ state: 'superseded', reopened: { by: 'ada' } });
  const contents = await accountant.get(`/api/admin/ledger/contents?${october}`);
  expect(await contents.json()).toMatchObject({ closed: false, lateFacts: 0 });
  // The same request again, after a lost answer.
  expect((await reopen(1)).status).toBe(200);
}

async function closeAgain() {
  const closed = await accountant.post('/api/admin/books/close', { through: '2026-10-31' });
  expect(((await closed.json()) as Books).closings).toMatchObject([
    { version: 2, reopened: null },
    { version: 1, reopened: { reason: 'late-facts' } },
  ]);
  await certifyClosings(world);
  const [first, second] = [await certificateOf(1), await certificateOf(2)];
  expect(second).toMatchObject({ state: 'in-force', from: first.from, through: first.through });
  expect(second.bookings).toBe(first.bookings + 1);
  const before = await exported(october);
  await appendFacts(appSql, [{ ...lateFact, at: '2026-10-30T12:00:00-07:00' }]);
  await settled(appSql);
  expect(await exported(october)).toBe(before);
}

async function reopenBeforeCertificate() {
  expect((await owner.post('/api/admin/books/close', { through: '2026-11-03' })).status).toBe(200);
  expect((await reopen(3)).status).toBe(200);
  await certifyClosings(world);
  expect((await readBooks()).closings[0]).toMatchObject({ version: 3, certified: false, reopened: { by: 'ada' } });
  const missing = await accountant.get(certificatePath(3));
  expect([missing.status, await missing.json()]).toMatchObject([
    404,
    { code: 'NoCertificate', message: 'This closing was reopened before its certificate was made, so it has none.' },
  ]);
}

async function refuseEarlierClosing() {
  expect((await owner.post('/api/admin/books/close', { through: '2026-11-05' })).status).toBe(200);
  const refused = await reopen(2);
  expect([refused.status, await refused.json()]).toMatchObject([409, { code: 'NotLatestClosing' }]);
}

test('a month is closed with a certificate, reopened for late facts, and closed again', async () => {
  await readChecklist();
  await closeMonth();
  await mailCertificate();
  await compareDigests();
  await refuseReopening();
  await reopenMonth();
  await closeAgain();
  await reopenBeforeCertificate();
  await refuseEarlierClosing();
});
