import type { Settings } from '@kilim/domain/settings/settings';
import type { MailKind } from '../../../contract/mails.ts';
import type { Sql } from '../database/database.ts';
import { findOrder } from '../queries/find-order.ts';
import { type AttentionSource, readAllAttention } from '../queries/read-all-attention.ts';
import type { Logger } from '../runtime/logger.ts';
import { attemptedOf } from '../use-case/payment-attempt.ts';
import type { Letter } from './letter.ts';
import { attentionSummary } from './letters/attention-summary.ts';
import { healthNotice } from './letters/health-notice.ts';
import { newOrder } from './letters/new-order.ts';
import { orderConfirmation } from './letters/order-confirmation.ts';
import { paymentNotMade } from './letters/payment-not-made.ts';
import { refundNotice } from './letters/refund-notice.ts';
import { testMail } from './letters/test-mail.ts';
import type { TakenMail } from './outbox.ts';

/** Undefined: this person gets no mails. */
export type Recipients = Readonly<Record<'shop' | 'operator' | 'accountant', string | undefined>>;

export type ComposingWorld = {
  readonly sql: Sql;
  readonly log: Logger;
  readonly recipients: Recipients;
  readonly settings: () => Settings;
  readonly timeZone: string;
  readonly urls: { readonly shop: string; readonly office: string };
  readonly attention: readonly AttentionSource[];
  /** Of the optional rooms. */
  readonly letters: Letters;
};

/** `later`: something is missing that comes soon. Undefined: this mail must not be sent any more. */
export type Composed = { readonly to: string | string[]; readonly letter: Letter } | 'later' | undefined;

/** From what the ledger says now, so that a late mail is still true. */
export type Compose = (world: ComposingWorld, mail: TakenMail) => Promise<Composed>;
export type Letters = Partial<Readonly<Record<MailKind, Compose>>>;

const lettersOfOrders: Letters = {
  'order-confirmation': composeForCustomer,
  'payment-not-made': async ({ sql, settings, urls }, { orderId }) => {
    if (orderId === undefined) return undefined;
    const found = await findOrder(sql, orderId);
    const { paymentId, paymentStatus } = found.summary;
    if (paymentId === undefined || paymentStatus === 'paid') return undefined;
    const attempted = attemptedOf(found.stream, paymentId);
    // Another attempt, which perhaps pays.
    if (attempted.kind === 'pending') return 'later';
    const charge = 'charge' in attempted ? attempted.charge : undefined;
    const { business } = settings();
    const letter = paymentNotMade({ found, charge, businessName: business.name, shopUrl: urls.shop });
    return addressed(found.kept?.contact.email, letter);
  },
  'refund-notice': composeForCustomer,
  'new-order': async ({ sql, recipients, urls }, { orderId }) => {
    if (recipients.shop === undefined || orderId === undefined) return undefined;
    const orderUrl = new URL(`/admin/orders/${orderId}`, urls.office).href;
    return { to: recipients.shop, letter: newOrder(await findOrder(sql, orderId), orderUrl) };
  },
  'attention-summary': async (world) => {
    const found = await readAllAttention(world, world.attention);
    return addressed(
      world.recipients.shop,
      attentionSummary({ ...found, timeZone: world.timeZone, todayUrl: todayUrl(world) }),
    );
  },
  'test-mail': async (world) =>
    addressed(world.recipients.shop, testMail(world.settings().business.name, todayUrl(world))),
  'health-notice': async (world, { about }) =>
    addressed(world.recipients.operator, await healthNotice(world.sql, about, todayUrl(world))),
};

function todayUrl({ urls }: Pick<ComposingWorld, 'urls'>): string {
  return new URL('/admin/today', urls.office).href;
}

export async function compose(world: ComposingWorld, mail: TakenMail): Promise<Composed> {
  return await { ...lettersOfOrders, ...world.letters }[mail.kind]?.(world, mail);
}

/** Whether this server can write such a mail. */
export function writes({ letters }: Pick<ComposingWorld, 'letters'>, kind: MailKind): boolean {
  return kind in lettersOfOrders || kind in letters;
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

export function addressed(to: string | undefined, letter: Letter | undefined): Composed {
  return to === undefined || to === '' || letter === undefined ? undefined : { to, letter };
}
