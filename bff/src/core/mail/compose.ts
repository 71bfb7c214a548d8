import type { Settings } from '@kilim/domain/settings/settings';
import { unreachable } from '@kilim/domain/unreachable';
import * as z from 'zod/mini';
import { certificate } from '../../../contract/certificate.ts';
import { closingCertificate } from '../../accounting/mail/closing-certificate.ts';
import type { ProofPlaces } from '../../accounting/queries/read-books-attention.ts';
import { readCertificate } from '../../accounting/queries/read-certificate.ts';
import { emailsOf } from '../../people/sign-in/emails.ts';
import { listNames } from '../../people/sign-in/people.ts';
import type { Sql } from '../database/database.ts';
import { findOrder } from '../queries/find-order.ts';
import { readAllAttention } from '../queries/read-all-attention.ts';
import { readTold, readToldEntry } from '../queries/read-told.ts';
import type { Logger } from '../runtime/logger.ts';
import type { Letter } from './letter.ts';
import { attentionSummary } from './letters/attention-summary.ts';
import { newOrder } from './letters/new-order.ts';
import { orderConfirmation } from './letters/order-confirmation.ts';
import { accessNotice, accountNotice, type NoticeFacts, ownerNotice } from './letters/owner-notice.ts';
import { refundNotice } from './letters/refund-notice.ts';
import type { TakenMail } from './outbox.ts';

/** Undefined: this person gets no mails. */
export type Recipients = { readonly shop: string | undefined; readonly accountant: string | undefined };

export type ComposingWorld = Omit<ProofPlaces, 'needsWitness'> & {
  readonly sql: Sql;
  readonly log: Logger;
  readonly recipients: Recipients;
  readonly settings: () => Settings;
  readonly timeZone: string;
  readonly urls: { readonly shop: string; readonly office: string };
};

/** `later`: something is missing that comes soon. Undefined: this mail must not be sent any more. */
export type Composed = { readonly to: string | string[]; readonly letter: Letter } | 'later' | undefined;

/** From what the ledger says now, so that a late mail is still true. */
export async function compose(world: ComposingWorld, mail: TakenMail): Promise<Composed> {
  const { sql, recipients, urls } = world;
  switch (mail.kind) {
    case 'order-confirmation':
    case 'refund-notice':
      return await composeForCustomer(world, mail);
    case 'new-order': {
      if (recipients.shop === undefined || mail.orderId === undefined) return undefined;
      const orderUrl = new URL(`/admin/orders/${mail.orderId}`, urls.office).href;
      return { to: recipients.shop, letter: newOrder(await findOrder(sql, mail.orderId), orderUrl) };
    }
    case 'attention-summary': {
      const found = await readAllAttention(world, proofOf(world));
      const overviewUrl = new URL('/admin/overview', urls.office).href;
      return addressed(recipients.shop, attentionSummary({ ...found, overviewUrl }));
    }
    case 'closing-certificate':
      return await composeCertificate(world, mail);
    case 'owner-notice':
      return addressed(recipients.shop, await composeOwnerNotice(world, mail));
    case 'account-notice':
      return await composeAccountNotice(world, mail);
    default:
      return unreachable(mail.kind);
  }
}

function proofOf({ witnesses, signer, urls }: ComposingWorld): ProofPlaces {
  return { witnesses, signer, needsWitness: urls.office.startsWith('https:') };
}

/** An erased contact gets no mail. */
async function composeForCustomer(
  { sql, settings, urls }: ComposingWorld,
  { kind, about, orderId }: TakenMail,
): Promise<Composed> {
  if (orderId === undefined) return undefined;
  const found = await findOrder(sql, orderId);
  const { paymentId } = found.summary;
  if (paymentId === undefined) return undefined;
  const receiptUrl = new URL(`/payment-success?payment_id=${paymentId}`, urls.shop).href;
  const { business } = settings();
  const letter =
    kind === 'refund-notice'
      ? refundNotice({ found, refundId: about, businessName: business.name, receiptUrl })
      : orderConfirmation({ found, business, receiptUrl });
  return addressed(found.kept?.contact.email, letter);
}

/** A seal follows a closing within a minute. Without seals the mail must not wait for ever. */
const longestWaitForSealSeconds = 60 * 60;

async function composeCertificate(
  { sql, recipients, urls }: ComposingWorld,
  { about, ageSeconds }: TakenMail,
): Promise<Composed> {
  const found = await readCertificate(sql, Number(about));
  if (found === undefined) return undefined;
  if (found.checkpoint === null && ageSeconds < longestWaitForSealSeconds) return 'later';
  const pageUrl = new URL(`/admin/accounting/certificate/${about}`, urls.office).href;
  const json = JSON.stringify(z.encode(certificate, found), undefined, 2);
  return addressed(recipients.accountant, closingCertificate(found, json, pageUrl));
}

async function composeOwnerNotice(world: ComposingWorld, { about }: TakenMail): Promise<Letter | undefined> {
  const facts = await noticeFacts(world);
  const entry = await readToldEntry(world.sql, about);
  if (entry !== undefined) return accessNotice(entry, facts);
  const told = await readTold(world.sql, about);
  return told === undefined ? undefined : ownerNotice(told, facts);
}

/** The shop's own mailbox is told already. */
async function composeAccountNotice(world: ComposingWorld, { about }: TakenMail): Promise<Composed> {
  const { sql, recipients, settings } = world;
  const entry = await readToldEntry(sql, about);
  if (entry === undefined) return undefined;
  const emails = await emailsOf(sql, entry.username);
  const to = emails.map(({ email }) => email).filter((email) => email !== recipients.shop);
  if (to.length === 0) return undefined;
  return { to, letter: accountNotice(entry, settings().business.name, await noticeFacts(world)) };
}

async function noticeFacts({ sql, settings, timeZone, urls }: ComposingWorld): Promise<NoticeFacts> {
  const names = new Map((await listNames(sql)).map(({ username, displayName }) => [username, displayName]));
  const format = new Intl.DateTimeFormat('en-US', { timeZone, dateStyle: 'long', timeStyle: 'short' });
  return {
    above: settings().notices.above,
    nameOf: (actor) => {
      const username = actor.replace(/^admin:/, '');
      return username === 'operator' ? 'A command on the server' : (names.get(username) ?? username);
    },
    timeText: (at) => format.format(at),
    officeUrl: urls.office,
  };
}

function addressed(to: string | undefined, letter: Letter | undefined): Composed {
  return to === undefined || to === '' || letter === undefined ? undefined : { to, letter };
}
