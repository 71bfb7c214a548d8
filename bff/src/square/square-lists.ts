import { cents } from '@kilim/domain/money';
import { z } from 'zod';
import type { CardDispute, CardPayment, CardRefund, Listed, Span } from './card-processor.ts';
import { isPlainAnswer, parsePayment, unknown } from './square-answer.ts';
import type { Ask, Call } from './square-client.ts';
import { parseRefund } from './square-refunds.ts';

type Client = Parameters<Call>[0];
type Deadline = Parameters<Call>[1];

/** One page of any list in the SDK. */
type Page = {
  readonly response: unknown;
  readonly data: readonly unknown[];
  readonly hasNextPage: () => boolean;
  readonly getNextPage: () => Promise<unknown>;
};

type List<Item> = {
  readonly firstPage: (client: Client, deadline: Deadline) => Promise<Page>;
  readonly parse: (item: unknown) => Item | undefined;
};

export function listPayments(ask: Ask, span: Span, locationId: string): Promise<Listed<CardPayment>> {
  return readAll(ask, {
    firstPage: (client, deadline) => client.payments.list({ ...changedIn(span), locationId }, deadline),
    parse: parsePayment,
  });
}

export function listRefunds(ask: Ask, span: Span, locationId: string): Promise<Listed<CardRefund>> {
  return readAll(ask, {
    firstPage: (client, deadline) => client.refunds.list({ ...changedIn(span), locationId }, deadline),
    parse: parseRefund,
  });
}

export function listDisputes(ask: Ask, locationId: string): Promise<Listed<CardDispute>> {
  return readAll(ask, {
    firstPage: (client, deadline) => client.disputes.list({ locationId }, deadline),
    parse: (item) => squareDispute.safeParse(item).data,
  });
}

/**
 * Filters by the time of the change: a payment of last week that is refunded today counts as
 * today's.
 */
function changedIn({ from, to }: Span) {
  return {
    // Without this, Square leaves out payments that were created more than a year ago.
    beginTime: '2020-01-01T00:00:00Z',
    updatedAtBeginTime: from,
    updatedAtEndTime: to,
    sortField: 'UPDATED_AT',
    sortOrder: 'ASC',
    limit: 100,
  } as const;
}

/** The deadline applies to each page. One unreadable item makes the whole list unknown. */
export async function readAll<Item>(ask: Ask, list: List<Item>): Promise<Listed<Item>> {
  const items: Item[] = [];
  let page: Page | undefined;
  do {
    const current = page;
    const asked = await ask(async (client, deadline) => {
      if (current === undefined) return list.firstPage(client, deadline);
      await current.getNextPage();
      return current;
    });
    if (asked.kind === 'unknown') return asked;
    if (asked.kind === 'refused') return unknown(asked.code);
    page = asked.body as Page;
    if (!isPlainAnswer(page.response)) return unknown('a list that cannot be read');
    for (const raw of page.data) {
      const item = list.parse(raw);
      if (item === undefined) return unknown('an item in a list that cannot be read');
      items.push(item);
    }
  } while (page.hasNextPage());
  return { kind: 'listed', items };
}

const squareDispute = z
  .object({
    id: z.string().min(1).optional(),
    disputeId: z.string().min(1).optional(),
    amountMoney: z.object({ amount: z.bigint() }),
    reason: z.string().default('UNKNOWN'),
    state: z.string(),
    dueAt: z.string().optional(),
    disputedPayment: z.object({ paymentId: z.string().min(1) }),
  })
  .transform(({ id, disputeId, ...dispute }, context): CardDispute => {
    const squareDisputeId = id ?? disputeId;
    if (squareDisputeId === undefined) {
      context.addIssue({ code: 'custom', message: 'A dispute without an id' });
      return z.NEVER;
    }
    return {
      squareDisputeId,
      squarePaymentId: dispute.disputedPayment.paymentId,
      amount: cents(Number(dispute.amountMoney.amount)),
      reason: dispute.reason,
      dueAt: dispute.dueAt,
      outcome: outcomes[dispute.state],
    };
  });

/**
 * A closed inquiry did not become a chargeback, so the business keeps the money. Other states are
 * open.
 */
const outcomes: Readonly<Record<string, CardDispute['outcome']>> = {
  WON: 'won',
  INQUIRY_CLOSED: 'won',
  LOST: 'lost',
  ACCEPTED: 'accepted',
};
