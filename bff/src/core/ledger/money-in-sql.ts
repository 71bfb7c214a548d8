import {
  type Figure,
  type MovingWhen,
  moneyOfEvents,
  pendingRefunds,
  refundsOfOrders,
  type SumOfEvents,
  salesOfOrders,
  sumOf,
  typesOf,
} from '@kilim/domain/accounting/money-of-events';
import type { EventType } from '@kilim/domain/ledger-event';
import { literal } from '../database/values.ts';

// Conditions and sums over `ledger.event`, made from the domain's table of money.

export function isOneOf(types: readonly EventType[]): string {
  const [first, ...others] = types.map(literal);
  if (first === undefined) return 'false';
  return others.length === 0 ? `type = ${first}` : `type in (${[first, ...others].join(', ')})`;
}

const moving = {
  always: undefined,
  won: `payload ->> 'outcome' = 'won'`,
  wasPaid: `payload ->> 'wasPaid' = 'true'`,
} satisfies Record<MovingWhen, string | undefined>;

export function sumInSql({ adds, subtracts }: SumOfEvents): string {
  const types = [...adds, ...subtracts];
  const conditional = types.flatMap((type) => {
    const condition = moving[movingWhen(type)];
    return condition === undefined ? [] : [{ type, condition }];
  });
  const always = types.filter((type) => !conditional.some((some) => some.type === type));
  const where = [isOneOf(always), ...conditional.map(({ type, condition }) => `${isOneOf([type])} and ${condition}`)];
  return `coalesce(sum(${signed({ adds, subtracts })}) filter (where ${where.join(' or ')}), 0)::bigint`;
}

/** Events that state an amount and move nothing are only summed for their statement. */
function movingWhen(type: EventType): MovingWhen {
  const { moves } = moneyOfEvents[type];
  return moves === 'never' ? 'always' : moves;
}

function signed({ adds, subtracts }: SumOfEvents): string {
  if (subtracts.length === 0) return 'amount_cents';
  return adds.length === 0 ? '-amount_cents' : `case when ${isOneOf(adds)} then amount_cents else -amount_cents end`;
}

function countInSql({ adds }: SumOfEvents): string {
  return `count(*) filter (where ${isOneOf(adds)})`;
}

/**
 * How each figure is read: from days counted in `ledger.money_day`, summed from its events, or from
 * a stream of few.
 */
const readFrom = {
  takings: 'days',
  refunds: 'days',
  fees: 'days',
  disputes: 'events',
  unidentified: 'events',
  payoutEntries: 'events',
  bank: 'events',
  writeOffs: 'resolutions',
} as const satisfies Record<Figure, 'days' | 'events' | 'resolutions'>;

const figuresFrom = (place: 'days' | 'events') =>
  (Object.keys(readFrom) as Figure[]).filter((figure) => readFrom[figure] === place);

const figuresOfEvents = figuresFrom('events');
/** The types that `ledger.money_between` reads. */
export const typesOfDays = typesOf(...figuresFrom('days'));

export const moneyOfDays = {
  // A payment of a difference is no new order.
  orders: `count(*) filter (where ${isOneOf(sumOf('takings').adds)} and stream_id not in (
    select 'order-' || order_id from ledger.order_summary where supplement_of is not null
  ))`,
  takings_cents: sumInSql(sumOf('takings')),
  refunds: countInSql(sumOf('refunds')),
  refunds_cents: sumInSql(sumOf('refunds')),
  fees_cents: sumInSql(sumOf('fees')),
};

/** The types that a row of `ledger.order_summary` sums. */
export const typesOfOrders: readonly EventType[] = [
  ...new Set([
    ...typesOfDays,
    ...salesOfOrders.adds,
    ...refundsOfOrders.adds,
    ...pendingRefunds.adds,
    ...pendingRefunds.subtracts,
  ]),
];

/** These events follow most payments. All others that move money are rare. */
const frequentTypes: readonly EventType[] = ['PaymentCaptured', 'RefundCompleted', 'ProcessingFeeAssessed'];

/** In the index `event_rare_money`, so that no scan of the table is needed. */
export const rareMoneyTypes: readonly EventType[] = [
  ...typesOf(...figuresFrom('days'), ...figuresOfEvents).filter((type) => !frequentTypes.includes(type)),
  'PayoutRecorded',
];
