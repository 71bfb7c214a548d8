import type { BusinessDetails } from '@kilim/domain/settings/settings';
import { unreachable } from '@kilim/domain/unreachable';
import * as z from 'zod/mini';
import { certificate } from '../../contract/certificate.ts';
import type { Sql } from '../database/database.ts';
import { findOrder } from '../queries/find-order.ts';
import { readAllAttention } from '../queries/read-all-attention.ts';
import type { ProofPlaces } from '../queries/read-books-attention.ts';
import { readCertificate } from '../queries/read-certificate.ts';
import type { Logger } from '../server/logger.ts';
import type { Letter } from './letter.ts';
import { attentionSummary } from './letters/attention-summary.ts';
import { closingCertificate } from './letters/closing-certificate.ts';
import { newOrder } from './letters/new-order.ts';
import { orderConfirmation } from './letters/order-confirmation.ts';
import { refundNotice } from './letters/refund-notice.ts';
import type { TakenMail } from './outbox.ts';

/** The people of the shop who get mails. Undefined: this person gets none. */
export type Recipients = { readonly shop: string | undefined; readonly accountant: string | undefined };

export type ComposingWorld = Omit<ProofPlaces, 'needsWitness'> & {
  readonly sql: Sql;
  readonly log: Logger;
  readonly recipients: Recipients;
  readonly business: () => BusinessDetails;
  readonly urls: { readonly shop: string; readonly office: string };
};

/** `later`: something is missing that comes soon. Undefined: this mail must not be sent any more. */
export type Composed = { readonly to: string; readonly letter: Letter } | 'later' | undefined;

/** Writes a mail from what the ledger says now, so that a mail that was late is still true. */
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
    default:
      return unreachable(mail.kind);
  }
}

function proofOf({ witnesses, signer, urls }: ComposingWorld): ProofPlaces {
  return { witnesses, signer, needsWitness: urls.office.startsWith('https:') };
}

/** An erased contact gets no mail. */
async function composeForCustomer(
  { sql, business, urls }: ComposingWorld,
  { kind, about, orderId }: TakenMail,
): Promise<Composed> {
  if (orderId === undefined) return undefined;
  const found = await findOrder(sql, orderId);
  const { paymentId } = found.summary;
  if (paymentId === undefined) return undefined;
  const receiptUrl = new URL(`/payment-success?payment_id=${paymentId}`, urls.shop).href;
  const letter =
    kind === 'refund-notice'
      ? refundNotice({ found, refundId: about, businessName: business().name, receiptUrl })
      : orderConfirmation({ found, business: business(), receiptUrl });
  return addressed(found.kept?.contact.email, letter);
}

/** A seal follows a closing within a minute. A ledger that is never sealed must not hold the mail back for ever. */
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

function addressed(to: string | undefined, letter: Letter | undefined): Composed {
  return to === undefined || to === '' || letter === undefined ? undefined : { to, letter };
}
