import type { MailKind } from '@kilim/bff/contract/mails';
import { builtInNotices } from '@kilim/domain/settings/settings';
import type { Sql } from '../../../bff/src/core/database/database.ts';
import type { KeptMail } from '../../mailbox/kept-mail.ts';

type ExpectedMail = {
  readonly kind: MailKind;
  readonly about: string;
  /** Null for mails to the shop. */
  readonly email: string | null;
  /** Null: the server has not found out yet that the mail is due. */
  readonly message_id: string | null;
  readonly state: string | null;
};

const perhapsDropped: ReadonlySet<MailKind> = new Set<MailKind>([
  'attention-summary',
  'payment-not-made',
  'rugs-received',
  'rugs-ready',
  'difference-request',
]);

/**
 * Every paid order has a confirmation and a message to the shop, every completed refund a notice, under one Message-ID
 * each. The shop hears of large refunds and of sign-ins from new browsers. A summary may come, and no other mail.
 * @returns one sentence for each violation.
 */
export async function mailViolations(ownerSql: Sql, mails: readonly KeptMail[]): Promise<readonly string[]> {
  const expected = await ownerSql<ExpectedMail[]>`
    select due.kind, due.about, case when due.kind <> 'new-order' then contact.email end as email, message_id, mail.state
    from (
      select kind, order_id::text as about, coalesce(supplement_of, order_id) as order_id
      from ledger.order_summary cross join unnest(array['order-confirmation', 'new-order']) kind
      where payment_status = 'paid' and (supplement_of is null or kind = 'order-confirmation')
      union all
      select 'refund-notice', refund_id, coalesce(supplement_of, order_id)
      from ledger.refund_history join ledger.order_summary using (order_id) where status = 'completed'
    ) due
    join ledger.customer_contact contact using (order_id)
    left join ledger.mail using (kind, about)
    union all
    select told.kind, told.about, null, message_id, state
    from (
      select 'owner-notice' as kind, stream_id || '/' || version as about from ledger.event
      where type in ('RefundRequested', 'ExternalRefundRecorded', 'ExcessRefundFound')
        and amount_cents > ${builtInNotices.above}
      union all
      select 'owner-notice', 'entry/' || id from admin.security_entry
      where kind = 'signed-in' and detail ->> 'newBrowser' = 'true'
    ) told left join ledger.mail using (kind, about)
    union all
    -- Each morning, unless nothing needs attention; and steps in the shop. One that was taken back is dropped, perhaps
    -- after a try whose answer was lost.
    select kind, about, null, message_id, state from ledger.mail
    where kind = any (${[...perhapsDropped]}::text[])`;
  const known = new Set(expected.map(({ message_id: id }) => id));
  const strangers = mails.filter(({ messageId }) => !known.has(idIn(messageId)));
  return [
    ...expected.flatMap((mail) => missing(mail, mails)),
    ...strangers.map(({ subject }) => `M2 a mail that is not due was sent: ${subject}`),
  ];
}

function missing({ kind, about, email, message_id: id, state }: ExpectedMail, mails: readonly KeptMail[]) {
  const arrived = mails.filter(({ messageId }) => idIn(messageId) === id);
  if (state === 'dropped' && perhapsDropped.has(kind)) return [];
  if (id === null || arrived.length === 0 || state !== 'sent')
    return [`M1 ${kind} of ${about} is ${state ?? 'unknown'}`];
  const isAstray = email !== null && arrived.some(({ to }) => to.join() !== email);
  return isAstray ? [`M3 ${kind} of ${about} went to another address`] : [];
}

function idIn(messageId: string): string {
  return /^<([^@]+)@/.exec(messageId)?.[1] ?? '';
}
