// Plain data of more than sixty orders: November 2025 in Los Angeles, where the clocks change on its second day.
// `record.ts` puts it into a ledger, and `independent-book.ts` keeps its own books, so nothing here or there imports
// the domain.

export type PlannedTier = 'premium' | 'midrange' | 'economy';
export type PlannedCharge = 'base' | 'delivery' | 'stainProtection' | 'greenPad' | 'salesTax';

/** Sides in inches. */
export type PlannedRug = {
  readonly width: number;
  readonly length: number;
  readonly tier: PlannedTier;
  readonly stainProtection: boolean;
  readonly greenPad: boolean;
};

/** In cents per square foot. */
export type PlannedPrices = Readonly<Record<PlannedTier, number>>;

/** In thousandths of a percent, with its first day. */
export type PlannedTax = { readonly thousandths: number; readonly since: string };

/** Cents, or all that is left. */
export type Part = number | 'all';

/**
 * By the office. The amount is the sum of what it names, with the tax of named add-ons; `everything` is a full refund.
 */
export type PlannedRefund = {
  readonly what: 'refund';
  readonly requestedAt: string;
  readonly settledAt: string;
  readonly reason: string;
  readonly fails?: true;
  readonly everything?: true;
  readonly rugs?: readonly { readonly rug: number; readonly amount: Part }[];
  readonly charges?: readonly { readonly rug: number; readonly charge: PlannedCharge; readonly amount: Part }[];
  readonly deliveryMinimum?: Part;
  /** A free amount beyond the named lines. */
  readonly beyond?: number;
};

/** After the payment. Amounts in cents, instants with their offset from UTC. */
export type PlannedFact = (
  | { readonly what: 'fee'; readonly at: string; readonly amount: number }
  | PlannedRefund
  | { readonly what: 'refund at Square'; readonly at: string; readonly amount: number }
  /** By check: a free amount, or the amount of a failed refund. */
  | { readonly what: 'refund outside Square'; readonly at: string; readonly amount: number | PlannedRefund }
  /** For the Green Pad of the first rug, with its tax; the rest is for all charges. */
  | { readonly what: 'refund corrected'; readonly at: string; readonly greenPad: number }
  /** The shop measures the rugs of the order, and asks for what its supplement pays. */
  | { readonly what: 'measured'; readonly at: string }
  | {
      readonly what: 'dispute';
      readonly openedAt: string;
      readonly closed?: { readonly at: string; readonly outcome: 'won' | 'lost' | 'accepted' };
    }
) & {
  /** Recorded after this many closings; none unless stated. */
  readonly afterClosings?: number;
};

export type PlannedOrder = {
  /** From 0; its ids derive from it. */
  readonly number: number;
  readonly delivery: 'dropoff' | 'pickup';
  readonly prices: PlannedPrices;
  readonly tax: PlannedTax;
  readonly rugs: readonly PlannedRug[];
  /** Of a supplement: the order, and its rugs as ordered. The rugs of the supplement are measured. */
  readonly supplementOf?: { readonly number: number; readonly rugs: readonly PlannedRug[] };
  /** Absent: the card was declined. */
  readonly paidAt?: string;
  readonly paidInShop?: 'check' | 'counter' | undefined;
  readonly facts: readonly PlannedFact[];
};

export type PlannedOrphan = {
  readonly squarePaymentId: string;
  readonly at: string;
  readonly amount: number;
  readonly returns: readonly { readonly at: string; readonly amount: number }[];
  readonly afterClosings?: number;
};

/** The whole payment of an order with its first fee, or money that only a payout shows. */
export type PlannedEntry =
  | { readonly of: 'order'; readonly order: number }
  | { readonly of: 'square'; readonly activity: string; readonly gross: number; readonly fee: number }
  | { readonly of: 'elsewhere'; readonly at: string; readonly gross: number; readonly fee: number };

export type PlannedPayout = {
  readonly id: string;
  readonly sentAt: string;
  readonly arrives: string;
  readonly entries: readonly PlannedEntry[];
  readonly returnedAt?: string;
};

/** About a payment without an order, or an open item of an order. */
export type PlannedResolution = {
  readonly at: string;
  /** The rest of the payment, or the change of the clearing account. */
  readonly amount: number;
  readonly afterClosings?: number;
} & (
  | { readonly what: 'assigned'; readonly orphan: string; readonly order: number }
  | { readonly what: 'written off'; readonly orphan: string }
  | { readonly what: 'item written off'; readonly order: number }
  /** The amount of the newest booking or write-off. */
  | { readonly what: 'booking undone'; readonly orphan: string }
  | { readonly what: 'item write-off undone'; readonly order: number }
  /** Explained and undone again: no booking. */
  | { readonly what: 'explained'; readonly order: number }
  | { readonly what: 'explanation undone'; readonly order: number }
  /** No booking. */
  | { readonly what: 'refund asked for'; readonly orphan: string }
);

export type MonthPlan = {
  readonly orders: readonly PlannedOrder[];
  readonly orphans: readonly PlannedOrphan[];
  readonly payouts: readonly PlannedPayout[];
  readonly resolutions: readonly PlannedResolution[];
  readonly closings: readonly string[];
};

const firstPrices: PlannedPrices = { premium: 595, midrange: 395, economy: 195 };
const newPrices: PlannedPrices = { premium: 645, midrange: 445, economy: 245 };
const firstTax: PlannedTax = { thousandths: 9_750, since: '2000-01-01' };
const newTax: PlannedTax = { thousandths: 9_875, since: '2025-11-15' };
const tiers: readonly PlannedTier[] = ['premium', 'midrange', 'economy'];
const ordersOfNovember = 68;
const ordersOfDecember = 10;
/**
 * With how the customer pays the difference. Far above the delivery minimum, or dropped off, so that no charge of the
 * supplement is less than before.
 */
const measuredOrders: ReadonlyMap<number, 'card' | 'check' | 'counter'> = new Map([
  [52, 'card'],
  [30, 'check'],
  [63, 'counter'],
]);

/** Midnights, and both half past one of the night in which the clocks change. */
const edges = [
  '2025-10-31T23:59:59.999-07:00',
  '2025-11-01T00:00:00.000-07:00',
  '2025-11-02T01:30:00.000-07:00',
  '2025-11-02T01:30:00.000-08:00',
  '2025-11-02T23:59:59.999-08:00',
  '2025-11-03T00:00:00.000-08:00',
  '2025-11-30T23:59:59.999-08:00',
  '2025-12-01T00:00:00.000-08:00',
];

export const monthOfSixtyOrders: MonthPlan = planMonth();

function planMonth(): MonthPlan {
  const random = numbersFrom(20_251_101);
  const orders = Array.from({ length: ordersOfNovember + ordersOfDecember }, (_, number) => planOrder(number, random));
  return {
    orders: [...orders, ...[...measuredOrders.keys()].flatMap((number) => orders[number] ?? []).map(supplementTo)],
    orphans: [
      { squarePaymentId: 'sq-orphan-1', at: '2025-11-07T10:00:00-08:00', amount: 5_000, returns: [] },
      {
        squarePaymentId: 'sq-orphan-2',
        at: '2025-11-09T10:00:00-08:00',
        amount: 12_345,
        returns: [{ at: '2025-11-11T09:00:00-08:00', amount: 12_345 }],
      },
      {
        squarePaymentId: 'sq-orphan-3',
        at: '2025-10-31T22:00:00-07:00',
        amount: 8_000,
        returns: [{ at: '2025-11-28T09:00:00-08:00', amount: 1_000 }],
        afterClosings: 1,
      },
    ],
    payouts: planPayouts(orders),
    resolutions: [
      { what: 'refund asked for', orphan: 'sq-orphan-2', amount: 12_345, at: '2025-11-10T10:00:00-08:00' },
      { what: 'explained', order: 10, amount: 4_321, at: '2025-11-12T10:00:00-08:00' },
      { what: 'explanation undone', order: 10, amount: 4_321, at: '2025-11-12T11:00:00-08:00' },
      { what: 'written off', orphan: 'sq-orphan-1', amount: 5_000, at: '2025-11-17T10:00:00-08:00' },
      { what: 'booking undone', orphan: 'sq-orphan-1', amount: 5_000, at: '2025-11-17T15:00:00-08:00' },
      { what: 'assigned', orphan: 'sq-orphan-1', order: 3, amount: 5_000, at: '2025-11-18T10:00:00-08:00' },
      { what: 'item written off', order: 17, amount: -1_234, at: '2025-11-30T23:00:00-08:00' },
      // The clocks of two servers differ: it is late.
      {
        ...{ what: 'written off', orphan: 'sq-orphan-3', amount: 7_000, at: '2025-11-30T23:59:00-08:00' },
        afterClosings: 2,
      },
      { what: 'item written off', order: 18, amount: 77, at: '2025-12-02T09:00:00-08:00', afterClosings: 2 },
      { what: 'item write-off undone', order: 18, amount: 77, at: '2025-12-02T10:00:00-08:00', afterClosings: 2 },
    ],
    closings: ['2025-10-31', '2025-11-30'],
  };
}

function planOrder(number: number, random: (below: number) => number): PlannedOrder {
  const rugs = Array.from({ length: 1 + (number % 4) }, (_, index): PlannedRug => {
    const tier = tiers[(number + index) % 3] ?? 'premium';
    // Small rugs stay below the delivery minimum.
    const most = number % 11 === 6 ? 12 : 200;
    return {
      width: 24 + random(most),
      length: 24 + random(most),
      tier,
      stainProtection: tier === 'premium' || random(2) === 1,
      greenPad: index === 0 || random(2) === 1,
    };
  });
  const day = 2 + (number % 28);
  const isOfNovember = number < ordersOfNovember;
  const paidOn = isOfNovember ? date(day) : `2025-12-${two(2 + number - ordersOfNovember)}`;
  const paidAt = edges[number] ?? `${paidOn}T${two(8 + random(12))}:${two(random(60))}:00.000-08:00`;
  const order = {
    number,
    delivery: number % 3 === 0 ? ('dropoff' as const) : ('pickup' as const),
    prices: day < 15 ? firstPrices : newPrices,
    tax: day < 15 ? firstTax : newTax,
    rugs,
  };
  if (number % 23 === 22) return { ...order, facts: [] };
  const measured = measuredOrders.has(number) ? [{ what: 'measured', at: '2025-11-27T09:00:00-08:00' } as const] : [];
  return { ...order, paidAt, facts: [feeAfter(paidAt, number), ...measured, ...(isOfNovember ? factsOf(number) : [])] };
}

function supplementTo({ rugs, number: of, ...order }: PlannedOrder, index: number): PlannedOrder {
  const number = ordersOfNovember + ordersOfDecember + index;
  const way = measuredOrders.get(of);
  const paidAt = way === 'counter' ? '2025-12-01T10:00:00.000-08:00' : '2025-11-28T10:00:00.000-08:00';
  return {
    ...order,
    ...{ number, paidAt, supplementOf: { number: of, rugs } },
    rugs: rugs.map((rug) => ({ ...rug, width: rug.width + 2, length: rug.length + 3 })),
    ...(way === 'card' ? { facts: [feeAfter(paidAt, number)] } : { facts: [], paidInShop: way }),
  };
}

function feeAfter(paidAt: string, number: number): PlannedFact {
  const fee = { what: 'fee', at: paidAt, amount: 30 + number * 7 } as const;
  // The fees of a closed month's last instants arrive after its closing.
  if (number === 0) return { ...fee, afterClosings: 1 };
  return number === 6 ? { ...fee, afterClosings: 2 } : fee;
}

/** By number: each shape occurs six or seven times. */
function factsOf(number: number): readonly PlannedFact[] {
  const requestedAt = `${date(20 + (number % 9))}T09:00:00-08:00`;
  const settledAt = `${date(21 + (number % 9))}T09:00:00-08:00`;
  const refund = { what: 'refund', requestedAt, settledAt } as const;
  switch (number % 11) {
    case 0:
      return [{ ...refund, reason: 'Cancelled', everything: true }];
    case 1:
      return [
        { ...refund, reason: 'Pad not put in', charges: [{ rug: 0, charge: 'greenPad', amount: 'all' }] },
        { ...refund, reason: 'goodwill', rugs: [{ rug: 0, amount: 1_000 }], beyond: 1 },
      ];
    case 2:
      return [
        {
          ...refund,
          reason: 'Goodwill',
          rugs: [number % 4 === 0 ? { rug: 0, amount: 5_000 } : { rug: 1, amount: 'all' }],
        },
        { ...refund, reason: 'Late', beyond: 1_234 },
      ];
    case 3:
      return [
        { ...refund, reason: 'Late', beyond: 5_000, fails: true },
        { ...refund, reason: 'Late', beyond: 1 },
      ];
    case 4:
      return [
        { what: 'refund at Square', at: '2025-11-29T12:00:00-08:00', amount: 7_777 },
        // Most of them are corrected in the next month.
        ...(number === 4
          ? []
          : [
              {
                what: 'refund corrected',
                at: correctedAt(number),
                greenPad: 1_111,
                ...(number < 30 ? {} : { afterClosings: 2 }),
              } as const,
            ]),
        // The excess is no refund of a sale.
        ...(number === 4 ? [{ what: 'refund at Square', at: settledAt, amount: 9_999_999 } as const] : []),
      ];
    case 5:
      return [{ what: 'dispute', openedAt: requestedAt, ...(number === 5 ? {} : outcomeOf(number)) }];
    case 6:
      return [{ ...refund, reason: 'No pickup', deliveryMinimum: 'all', beyond: 2_500 }];
    case 7:
      return [
        { ...refund, reason: 'Half a pad', charges: [{ rug: 0, charge: 'greenPad', amount: 777 }] },
        { ...refund, reason: 'The rest of it', charges: [{ rug: 0, charge: 'greenPad', amount: 'all' }] },
        { ...refund, reason: 'The rest of everything', everything: true },
      ];
    case 8:
      return [{ what: 'fee', at: '2025-11-30T23:30:00-08:00', amount: -11 }];
    case 9:
      return [
        { ...refund, reason: 'Resale certificate', charges: [{ rug: 0, charge: 'salesTax', amount: 'all' }] },
        { ...refund, reason: 'Collected by hand', charges: [{ rug: 0, charge: 'base', amount: 999 }], beyond: 333 },
        // Completed in November, and learned of after it was closed.
        {
          ...refund,
          reason: 'Late news',
          requestedAt: '2025-11-30T20:00:00-08:00',
          settledAt: '2025-11-30T23:45:00-08:00',
          beyond: 250,
          afterClosings: 2,
        },
      ];
    default: {
      const failed: PlannedRefund = {
        ...{ ...refund, fails: true, reason: 'Pad not put in' },
        charges: [{ rug: 0, charge: 'greenPad', amount: 'all' }],
      };
      return [
        failed,
        { what: 'refund outside Square', at: settledAt, amount: failed },
        {
          what: 'refund outside Square',
          at: '2025-11-30T12:00:00-08:00',
          amount: 4_321,
          afterClosings: number === 10 ? 2 : 0,
        },
      ];
    }
  }
}

function correctedAt(number: number): string {
  return number < 30 ? '2025-11-30T13:00:00-08:00' : '2025-12-01T13:00:00-08:00';
}

function outcomeOf(number: number) {
  const outcome = (['won', 'lost', 'accepted'] as const)[number % 3] ?? 'won';
  return { closed: { at: '2025-12-02T08:00:00-08:00', outcome } };
}

function planPayouts(orders: readonly PlannedOrder[]): readonly PlannedPayout[] {
  const charges = (numbers: readonly number[]): readonly PlannedEntry[] =>
    orders
      .filter((order) => numbers.includes(order.number) && order.paidAt !== undefined)
      .map((order) => ({ of: 'order', order: order.number }));
  const square = (activity: string, gross: number, fee = 0): PlannedEntry => ({ of: 'square', activity, gross, fee });
  return [
    {
      id: 'po-1',
      sentAt: '2025-11-03T20:00:00-08:00',
      arrives: '2025-11-04',
      entries: [...charges([0, 1, 2, 3]), square('RESERVE_HOLD', -4_000)],
    },
    {
      id: 'po-2',
      sentAt: '2025-11-13T20:00:00-08:00',
      arrives: '2025-11-14',
      entries: [
        ...charges([5, 6, 8]),
        // Of the month before.
        { of: 'elsewhere', at: '2025-10-31T23:30:00-07:00', gross: 6_000, fee: 186 },
        square('TAX_ON_FEE', -19),
      ],
    },
    // Two payouts on one day, and one takes money from the bank.
    {
      id: 'po-3',
      sentAt: '2025-11-13T21:00:00-08:00',
      arrives: '2025-11-14',
      entries: [square('ADJUSTMENT', -168_205)],
    },
    {
      id: 'po-4',
      sentAt: '2025-11-20T20:00:00-08:00',
      arrives: '2025-11-21',
      entries: charges([9, 10, 11, 12]),
      returnedAt: '2025-11-24T10:00:00-08:00',
    },
    {
      id: 'po-5',
      sentAt: '2025-11-29T20:00:00-08:00',
      arrives: '2025-12-01',
      entries: [...charges([13, 14, 15]), square('RESERVE_RELEASE', 4_000), square('DEPOSIT_FEE', 0, 150)],
    },
  ];
}

function date(day: number): string {
  return `2025-11-${two(day)}`;
}

function two(number: number): string {
  return String(number).padStart(2, '0');
}

/** Always the same ones for a seed. */
function numbersFrom(seed: number) {
  let state = seed;
  return (below: number): number => {
    state = (state * 48_271) % 2_147_483_647;
    return state % below;
  };
}
