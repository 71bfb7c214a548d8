import { cents } from '@kilim/domain/money';
import { z } from 'zod';
import type { CardDispute, CardPayment, CardRefund, DisputeLookupOutcome, Listed, Span } from './card-processor.ts';
import { isPlainAnswer, parseListedPayment, unknown, unreadable, withoutNulls } from './square-answer.ts';
import type { Ask, Call } from './square-client.ts';
import { parseListedRefund } from './square-refunds.ts';

type Client = Parameters<Call>[0];
type Deadline = Parameters<Call>[1];

type Page = { readonly response: unknown; readonly data: readonly unknown[] };

type Place = { readonly cursor?: string };

type List<Item> = {
  /** The SDK's own `getNextPage` would reuse the deadline of the first page. */
  readonly page: (client: Client, place: Place, deadline: Deadline) => Promise<Page>;
  /** @returns undefined for an item that cannot be read, `elsewhere` for one that is certainly not ours. */
  readonly parse: (item: unknown) => Item | 'elsewhere' | undefined;
};

export function listPayments(ask: Ask, span: Span, locationId: string): Promise<Listed<CardPayment>> {
  return readAll(ask, {
    page: (client, place, deadline) => client.payments.list({ ...changedIn(span), ...place, locationId }, deadline),
    parse: parseListedPayment,
  });
}

export function listRefunds(ask: Ask, span: Span, locationId: string): Promise<Listed<CardRefund>> {
  return readAll(ask, {
    page: (client, place, deadline) => client.refunds.list({ ...changedIn(span), ...place, locationId }, deadline),
    parse: parseListedRefund,
  });
}

export function listDisputes(ask: Ask, locationId: string): Promise<Listed<CardDispute>> {
  return readAll(ask, {
    page: (client, place, deadline) => client.disputes.list({ ...place, locationId }, deadline),
    parse: parseListedDispute,
  });
}

const disputeAnswer = z.object({ dispute: z.unknown() });
const atLocation = z.object({ locationId: z.string() });

/** Webhooks tell of all locations of the company. */
export async function getDispute(ask: Ask, squareDisputeId: string, locationId: string): Promise<DisputeLookupOutcome> {
  const asked = await ask((client, deadline) => client.disputes.get({ disputeId: squareDisputeId }, deadline));
  if (asked.kind === 'unknown') return asked;
  if (asked.kind === 'refused') return asked.code === 'NOT_FOUND' ? { kind: 'not-found' } : unknown(asked.code);
  const found = disputeAnswer.safeParse(asked.body).data?.dispute;
  const { locationId: place = locationId } = atLocation.safeParse(found).data ?? {};
  if (place !== locationId) return { kind: 'not-found' };
  const dispute = found === undefined ? undefined : parseListedDispute(found);
  if (dispute === undefined) return unreadable('a 2xx without a readable dispute', found);
  return dispute === 'elsewhere' ? { kind: 'not-found' } : { kind: 'found', dispute };
}

/** A payment of last week that is refunded today counts as today's. */
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

/** More than any account changes in weeks. */
const mostPages = 2000;

/** The deadline applies to each page. Pages without end make the whole list unknown. */
export async function readAll<Item>(ask: Ask, list: List<Item>): Promise<Listed<Item>> {
  const items: Item[] = [];
  const unreadable: string[] = [];
  let elsewhere = 0;
  const cursors = new Set<string>();
  let place: Place | undefined = {};
  while (place !== undefined) {
    const from: Place = place;
    const asked = await ask((client, deadline) => list.page(client, from, deadline));
    if (asked.kind === 'unknown') return asked;
    if (asked.kind === 'refused') return unknown(asked.code);
    const page = asked.body as Page;
    if (!isPlainAnswer(page.response)) return unknown('a list that cannot be read');
    for (const raw of page.data) {
      const item = list.parse(raw);
      if (item === undefined) unreadable.push(idOf(raw));
      else if (item === 'elsewhere') elsewhere += 1;
      else items.push(item);
    }
    const next = nextPlace.safeParse(page.response).data;
    if (next !== undefined && cursors.has(next.cursor)) return unknown('a list whose pages repeat');
    if (cursors.size === mostPages) return unknown(`a list of more than ${mostPages} pages`);
    if (next !== undefined) cursors.add(next.cursor);
    place = next;
  }
  return { kind: 'listed', items, unreadable, elsewhere };
}

const withId = z.object({ id: z.string().min(1) }).or(z.object({ disputeId: z.string().min(1) }));

function idOf(raw: unknown): string {
  const named = withId.safeParse(raw).data;
  if (named === undefined) return 'without an id';
  return 'id' in named ? named.id : named.disputeId;
}

const nextPlace = z.object({ cursor: z.string().min(1) });

const ofPayment = z.object({ disputedPayment: z.object({ paymentId: z.string().min(1) }) });

/** @returns `elsewhere` for a dispute that names no payment: every dispute of an order names one. */
function parseListedDispute(found: unknown): CardDispute | 'elsewhere' | undefined {
  return ofPayment.safeParse(found).success ? squareDispute.safeParse(withoutNulls(found)).data : 'elsewhere';
}

const squareDispute = z
  .object({
    id: z.string().min(1).optional(),
    disputeId: z.string().min(1).optional(),
    amountMoney: z.object({ amount: z.bigint() }),
    reason: z.string().default('UNKNOWN'),
    state: z.string(),
    dueAt: z.string().optional(),
    createdAt: z.string().optional(),
    updatedAt: z.string().optional(),
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
      isInquiry: dispute.state.startsWith('INQUIRY_'),
      // The chargeback of an inquiry begins later than the dispute.
      createdAt: dispute.state === 'EVIDENCE_REQUIRED' ? (dispute.updatedAt ?? dispute.createdAt) : dispute.createdAt,
      updatedAt: dispute.updatedAt,
      outcome: outcomes[dispute.state],
    };
  });

/** A closed inquiry did not become a chargeback. Other states are open. */
const outcomes: Readonly<Record<string, CardDispute['outcome']>> = {
  WON: 'won',
  INQUIRY_CLOSED: 'won',
  LOST: 'lost',
  ACCEPTED: 'accepted',
};
