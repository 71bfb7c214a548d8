import { usualChart } from '@kilim/domain/accounting/chart';
import type { LedgerEvent } from '@kilim/domain/ledger-event';
import { cents, noCents } from '@kilim/domain/money';
import { parseOrderId } from '@kilim/domain/order/ids';
import { orderNumberOf } from '@kilim/domain/order/number';
import { builtInRefundLimits } from '@kilim/domain/people/refund-limits';
import { builtInSettingsFor, type Settings } from '@kilim/domain/settings/settings';
import { everyEvent } from '@kilim/domain/testing/every-event';
import { describe, expect, test } from 'vitest';
import type { Letter } from '../../core/mail/letter.ts';
import { render } from '../../core/mail/render.ts';
import { type Told, type ToldEvent, toldTypes } from '../queries/read-told.ts';
import { accessNotice, accountNotice, type NoticeFacts, ownerNotice } from './owner-notice.ts';

const orderId = parseOrderId('01975f2e-7a00-7000-8000-00000000000a');
if (orderId === undefined) throw new Error('This is an order id');
const number = orderNumberOf(orderId);
const at = new Date('2026-11-26T18:21:00Z');
const facts: NoticeFacts = {
  above: noCents,
  nameOf: (actor) => (actor === 'admin:cleo' ? 'Cleo' : actor),
  timeText: () => 'November 26, 2026 at 10:21 AM',
  officeUrl: 'https://office.example',
};

const told = (event: ToldEvent, before?: LedgerEvent): Told => ({ event, before, actor: 'admin:cleo', at, orderId });
const plainText = (letter: Letter | undefined) =>
  letter === undefined ? undefined : render(letter, { name: 'Kilim', phone: '' }).text;

describe('the shop is told of', () => {
  test.each([
    ['RefundRequested', `Cleo refunds $… of order ${number}.`],
    ['CustomerReimbursed', `Cleo gave $… back by check, of order ${number}.`],
    ['ExternalRefundRecorded', `$… of order ${number} went back in the Square dashboard.`],
    ['ExcessRefundFound', `$… of order ${number} went back in the Square dashboard.`],
    ['OrphanRefundRequested', 'Cleo refunds $… of a payment without an order.'],
    ['OrphanWrittenOff', 'Cleo wrote $… off.'],
    ['ClearingItemWrittenOff', 'Cleo wrote $… off.'],
  ] as const)('%s with its amount, and who did it', (type, sentence) => {
    const letter = ownerNotice(told(everyEvent[type][0]), facts);
    expect(letter?.parts[0]).toEqual({ kind: 'text', text: expect.anything() });
    const said = plainText(letter)?.split('\n\n')[1] ?? '';
    expect(said.replace(/\$[\d,]+\.\d\d/, '$…')).toBe(sentence);
    expect(letter?.subject.endsWith(said)).toBe(true);
  });

  test('an assignment with the number of the order', () => {
    const [event] = everyEvent.OrphanAssigned;
    const said = plainText(ownerNotice(told(event), facts)) ?? '';
    expect(said).toContain(`without an order to order ${orderNumberOf(event.orderId)}.`);
  });

  test('changed limits, prices, tax and the amount of these mails with the old and the new value, not of other texts', () => {
    const { settings } = builtInSettingsFor({ name: 'Kilim', phone: '', bookingUrl: '', dropOffSites: [] });
    const saved = (more: Partial<Settings>) =>
      ownerNotice(told({ type: 'SettingsChanged', version: 1, settings: { ...settings, ...more }, by: 'cleo' }), facts);
    const prices = { ...settings.tierPrices, premium: cents(1) };
    expect(plainText(saved({ tierPrices: prices }))).toMatch(/- Premium price per sq ft: \$\d\.\d\d → \$0\.01\n/);
    expect(plainText(saved({ notices: { above: cents(1_000_000) } }))).toContain(
      '- Mail about amounts above: $200.00 → $10,000.00',
    );
    const limits = { ...builtInRefundLimits, clerk: { ...builtInRefundLimits.clerk, perRefund: cents(90_000) } };
    const raised = saved({ refundLimits: limits, tierPrices: prices });
    expect(raised?.subject).toBe('Limits on refunds: Cleo changed the limits on refunds.');
    expect(plainText(raised)).toContain('- Limit of clerks for one refund: $500.00 → $900.00\n- Premium price');
    const salesTax = { ...settings.salesTax, name: 'No tax' };
    expect(plainText(saved({ salesTax }))).toContain('- Name of the sales tax');
    expect(saved({ terms: '<p>Be kind.</p>', contactRetention: { months: 3 } })).toBeUndefined();
  });

  test('renamed accounts of the books with the old and the new name', () => {
    const bank = { name: 'My own account', code: '1999' };
    const chart = { ...usualChart, accounts: { ...usualChart.accounts, bank } };
    const letter = ownerNotice(told({ type: 'AccountsNamed', chart, by: 'cleo' }), facts);
    expect(plainText(letter)).toContain('- Checking (1010) → My own account (1999)');
    expect(plainText(letter)?.match(/→/g)).toHaveLength(1);
  });

  test('nothing at or below the amount, and everything above it', () => {
    const [event] = everyEvent.RefundRequested;
    expect(ownerNotice(told(event), { ...facts, above: event.amount })).toBeUndefined();
    expect(ownerNotice(told(event), { ...facts, above: cents(event.amount - 1) })).toBeDefined();
    const negative = { ...everyEvent.ClearingItemWrittenOff[0], amount: cents(-30_000) };
    expect(plainText(ownerNotice(told(negative), { ...facts, above: cents(29_999) }))).toContain('wrote $300.00 off');
  });

  test.each(toldTypes)('%s in a mail with time and place, and with no word that a person wrote', (type) => {
    const [event] = everyEvent[type];
    const text = plainText(ownerNotice(told(event), facts));
    if (text === undefined) return expect(['SettingsChanged', 'AccountsNamed']).toContain(type);
    expect(text).toContain('November 26, 2026 at 10:21 AM.');
    expect(text).toMatch(/https:\/\/office\.example\/admin\/(orders|books|people|settings|accounting)/);
    for (const field of ['reason', 'notes', 'reference', 'squarePaymentId', 'squareRefundId']) {
      const value: unknown = Reflect.get(event, field);
      if (typeof value === 'string' && value !== '') expect(text).not.toContain(value);
    }
  });
});

describe('a way in is told', () => {
  const entry = {
    at,
    username: 'cleo',
    displayName: 'Cleo Doe',
    actorName: 'Olivia',
    browser: 'Firefox on Windows',
    detail: '{}',
  };

  test('to the shop, with who did it and where', () => {
    const text = plainText(accessNotice({ ...entry, kind: 'link-made', detail: '{"purpose":"reset"}' }, facts));
    expect(text).toMatch(/^Account of Cleo Doe \(cleo\)\n\nGot a link for a new password, by Olivia\.\n\n/);
    expect(text).toContain('November 26, 2026 at 10:21 AM, Firefox on Windows.');
    expect(text).toContain('https://office.example/admin/security');
  });

  test('to the person, with what to do when it is a surprise', () => {
    const letter = accountNotice({ ...entry, kind: 'second-factor-reset' }, 'Kilim', facts);
    expect(letter.subject).toBe('Your account at Kilim: Your account “cleo”: All second factors removed, by Olivia.');
    expect(plainText(letter)).toContain('Otherwise change your password, and tell an owner today.');
    expect(plainText(letter)).toContain('https://office.example/admin/password');
  });
});
