import { add, type Charges, type Open, priceOrder, take, takeFromAll, totalOf } from './independent-charges.ts';
import { at, dayAfter, dayInLosAngeles, sum } from './own-arithmetic.ts';
import type { MonthPlan, PlannedFact, PlannedOrder, PlannedPayout, PlannedTax, PlannedTier } from './plan.ts';

// Books of a planned month, written from the specification (sections 5 and 9) and docs/accounting.md, without the
// domain: its mistakes are no mistakes here.

/** Accounts by their usual names, in cents; a debit is positive. */
export type BookedEntry = {
  readonly what: keyof typeof descriptions;
  readonly day: string;
  readonly postedOn: string;
  readonly lines: ReadonlyMap<string, number>;
  readonly tax?: PlannedTax;
  /** Of a sale or refund, for the reports. */
  readonly parts?: Parts;
  readonly reason?: string;
  readonly payout?: string;
  /** Of a sale or refund. */
  readonly order?: number;
};

/** In cents. Cleaning is by tier. */
export type Parts = {
  readonly cleaning: Readonly<Record<PlannedTier, number>>;
  readonly addOns: number;
  readonly delivery: number;
  readonly deliveryMinimum: number;
  readonly salesTax: number;
};

export const descriptions = {
  sale: 'Payment taken',
  'paid in the shop': 'Paid in the shop',
  fee: 'Processing fee',
  refund: 'Refund',
  'refund at Square': 'Refund made at Square',
  'refund outside Square': 'Customer reimbursed outside Square',
  'refund corrected': 'Parts of a refund corrected',
  excess: 'Refund above what was refundable',
  dispute: 'Payment disputed',
  'dispute won': 'Dispute won',
  orphan: 'Unidentified receipt',
  'orphan returned': 'Unidentified receipt returned',
  assigned: 'Unidentified receipt assigned to an order',
  'written off': 'Unidentified receipt written off',
  'item written off': 'Open item written off',
  'booking undone': 'Booking of an unidentified receipt undone',
  'item write-off undone': 'Write-off of an open item undone',
  'payout entries': 'Shown by a payout only',
  payout: 'Payout to the bank',
  'payout returned': 'Payout sent back',
} as const;

/** At Square or in the shop. */
export function isSale({ what }: BookedEntry): boolean {
  return what === 'sale' || what === 'paid in the shop';
}

const revenue: Readonly<Record<PlannedTier, string>> = {
  premium: 'Rug Cleaning:Premium',
  midrange: 'Rug Cleaning:Midrange',
  economy: 'Rug Cleaning:Economy',
};

/** Also of the days around the month, in no particular order. */
export function keepBook(plan: MonthPlan): readonly BookedEntry[] {
  const book = openBook(plan.closings);
  for (const order of plan.orders) bookOrder(order, book);
  for (const { at, amount, returns, afterClosings } of plan.orphans) {
    book.move('orphan', { at, afterClosings, from: 'Unidentified Receipts', to: 'Square Clearing', amount });
    for (const back of returns) {
      book.move('orphan returned', { ...back, afterClosings, from: 'Square Clearing', to: 'Unidentified Receipts' });
    }
  }
  for (const payout of plan.payouts) bookPayout(payout, plan, book);
  for (const { what, ...resolved } of plan.resolutions) {
    const accounts = resolvedBetween[what];
    if (accounts !== undefined) book.move(what as keyof typeof descriptions, { ...resolved, ...accounts });
  }
  return book.entries;
}

const resolvedBetween = {
  assigned: { from: 'Sales Outside Kilim', to: 'Unidentified Receipts' },
  'written off': { from: 'Square Adjustments', to: 'Unidentified Receipts' },
  'item written off': { from: 'Square Adjustments', to: 'Square Clearing' },
  'booking undone': { from: 'Unidentified Receipts', to: 'Square Adjustments' },
  'item write-off undone': { from: 'Square Clearing', to: 'Square Adjustments' },
  explained: undefined,
  'explanation undone': undefined,
  'refund asked for': undefined,
} as const;

type Book = ReturnType<typeof openBook>;

function openBook(closings: readonly string[]) {
  const entries: BookedEntry[] = [];
  type About = Pick<BookedEntry, 'parts' | 'tax' | 'reason' | 'payout' | 'order'>;
  type When = { readonly at: string; readonly afterClosings?: number | undefined };
  const add = (what: BookedEntry['what'], when: When, { lines, ...about }: About & Pick<BookedEntry, 'lines'>) => {
    const day = dayInLosAngeles(when.at);
    const closedThrough = closings[(when.afterClosings ?? 0) - 1];
    const postedOn = closedThrough !== undefined && day <= closedThrough ? dayAfter(closedThrough) : day;
    const changed = [...lines].filter(([, amount]) => amount !== 0);
    if (changed.length > 0) entries.push({ what, day, postedOn, lines: new Map(changed), ...about });
  };
  type Movement = When & { readonly from: string; readonly to: string; readonly amount: number };
  const move = (what: BookedEntry['what'], { from, to, amount, ...when }: Movement, about: About = {}) => {
    const lines = new Map([
      [to, amount],
      [from, -amount],
    ]);
    add(what, when, { ...about, lines });
  };
  return { entries, add, move };
}

function bookOrder(order: PlannedOrder, book: Book): void {
  if (order.paidAt === undefined) return;
  const open = priceOrder(order);
  const sold = partsOf(open.rugs, open.deliveryMinimum, order);
  book.add(
    order.paidInShop === undefined ? 'sale' : 'paid in the shop',
    { at: order.paidAt },
    {
      lines: saleLines(sold, paidInto[order.paidInShop ?? 'card'], totalOf(open)),
      parts: sold,
      tax: order.tax,
      order: order.number,
    },
  );
  const account = { order, open, book, last: { taken: { rugs: [], deliveryMinimum: 0 } } };
  for (const fact of order.facts) bookFact(fact, account);
}

type Account = {
  readonly order: PlannedOrder;
  readonly open: Open;
  readonly book: Book;
  readonly last: { taken: Open };
};

function bookFact(fact: PlannedFact, account: Account): void {
  const { order, open, book } = account;
  const { afterClosings } = fact;
  switch (fact.what) {
    // The supplement is an order of its own.
    case 'measured':
      return;
    case 'fee':
      book.move('fee', { ...fact, from: 'Square Clearing', to: 'Card Processing Fees' });
      return;
    case 'refund': {
      if (fact.fails) return;
      const { rugs, deliveryMinimum } = take(open, fact, order);
      bookRefund({ what: 'refund', at: fact.settledAt, afterClosings, reason: fact.reason }, account, {
        rugs,
        deliveryMinimum,
      });
      return;
    }
    case 'refund at Square': {
      const fitting = Math.min(fact.amount, totalOf(open));
      const taken = takeFromAll(open, fitting);
      account.last.taken = taken;
      bookRefund({ what: 'refund at Square', at: fact.at, afterClosings, reason: madeAtSquare }, account, taken);
      const excess = { at: fact.at, afterClosings, amount: fact.amount - fitting };
      if (excess.amount > 0) {
        book.move('excess', { ...excess, from: 'Square Clearing', to: 'Unidentified Receipts' });
      }
      return;
    }
    case 'refund outside Square': {
      const { amount } = fact;
      const taken = typeof amount === 'number' ? takeFromAll(open, amount) : take(open, amount, order);
      bookRefund({ what: 'refund outside Square', at: fact.at, afterClosings, reason: 'Goodwill' }, account, taken);
      return;
    }
    case 'refund corrected': {
      const before = account.last.taken;
      add(open, before);
      const named = { what: 'refund', requestedAt: fact.at, settledAt: fact.at, reason: '' } as const;
      const charges = [{ rug: 0, charge: 'greenPad', amount: fact.greenPad }] as const;
      const rehearsal = take(structuredClone(open), { ...named, charges }, order);
      const beyond = totalOf(before) - totalOf(rehearsal);
      const after = take(open, { ...named, charges, beyond }, order);
      account.last.taken = after;
      bookCorrection({ at: fact.at, afterClosings }, account, { before, after });
      return;
    }
    case 'dispute': {
      const amount = totalOf(priceOrder(order));
      const accounts = { from: 'Square Clearing', to: 'Disputed Payments', amount, afterClosings };
      book.move('dispute', { ...accounts, at: fact.openedAt });
      if (fact.closed?.outcome !== 'won') return;
      book.move('dispute won', { ...accounts, at: fact.closed.at, amount: -amount });
    }
  }
}

export const madeAtSquare = '(made in the Square dashboard)';

type RefundAt = {
  readonly what: 'refund' | 'refund at Square' | 'refund outside Square';
  readonly at: string;
  readonly afterClosings: number | undefined;
  readonly reason: string;
};

function bookRefund({ what, reason, ...when }: RefundAt, { order, book }: Account, taken: Open): void {
  const parts = partsOf(taken.rugs, taken.deliveryMinimum, order);
  const amount = totalOf(taken);
  const lines = new Map([
    ['Refunds and Allowances', amount - parts.salesTax],
    ['Sales Tax Payable', parts.salesTax],
    [what === 'refund outside Square' ? 'Customer Reimbursements' : 'Square Clearing', -amount],
  ]);
  book.add(what, when, { lines, parts, reason, tax: order.tax, order: order.number });
}

/** The tax moves between the refunds and the tax that is owed; the parts are the difference. */
function bookCorrection(
  when: { readonly at: string; readonly afterClosings: number | undefined },
  { order, book }: Account,
  { before, after }: { readonly before: Open; readonly after: Open },
): void {
  const [from, to] = [before, after].map(({ rugs, deliveryMinimum }) => partsOf(rugs, deliveryMinimum, order)) as [
    Parts,
    Parts,
  ];
  const change = (pick: (parts: Parts) => number) => pick(to) - pick(from);
  const parts: Parts = {
    cleaning: {
      premium: change(({ cleaning }) => cleaning.premium),
      midrange: change(({ cleaning }) => cleaning.midrange),
      economy: change(({ cleaning }) => cleaning.economy),
    },
    addOns: change(({ addOns }) => addOns),
    delivery: change(({ delivery }) => delivery),
    deliveryMinimum: change(({ deliveryMinimum }) => deliveryMinimum),
    salesTax: change(({ salesTax }) => salesTax),
  };
  const lines = new Map([
    ['Refunds and Allowances', -parts.salesTax],
    ['Sales Tax Payable', parts.salesTax],
  ]);
  book.add('refund corrected', when, { lines, parts, reason: madeAtSquare, tax: order.tax, order: order.number });
}

function partsOf(rugs: readonly Charges[], deliveryMinimum: number, { rugs: planned }: PlannedOrder): Parts {
  const cleaning = { premium: 0, midrange: 0, economy: 0 };
  planned.forEach(({ tier }, index) => {
    cleaning[tier] += rugs[index]?.base ?? 0;
  });
  return {
    cleaning,
    addOns: sum(rugs.map(({ stainProtection, greenPad }) => stainProtection + greenPad)),
    delivery: sum(rugs.map(({ delivery }) => delivery)),
    deliveryMinimum,
    salesTax: sum(rugs.map(({ salesTax }) => salesTax)),
  };
}

/** The payout has a payment at the counter as a sale of its own. */
const paidInto = { card: 'Square Clearing', check: 'Cash and Checks', counter: 'Sales Outside Kilim' } as const;

function saleLines(parts: Parts, paid: string, total: number): ReadonlyMap<string, number> {
  return new Map([
    [paid, total],
    ...Object.entries(parts.cleaning).map(([tier, amount]) => [revenue[tier as PlannedTier], -amount] as const),
    ['Add-ons', -parts.addOns],
    ['Pickup and Delivery', -parts.delivery - parts.deliveryMinimum],
    ['Sales Tax Payable', -parts.salesTax],
  ]);
}

function bookPayout({ id, sentAt, arrives, entries, returnedAt }: PlannedPayout, plan: MonthPlan, book: Book): void {
  const lines = new Map<string, number>();
  const toLine = (account: string, amount: number) => lines.set(account, (lines.get(account) ?? 0) + amount);
  for (const entry of entries) {
    if (entry.of === 'order') continue;
    const account = entry.of === 'elsewhere' ? 'Sales Outside Kilim' : accountOf(entry.activity);
    toLine(account, -entry.gross);
    toLine('Square Fees', entry.fee);
    toLine('Square Clearing', entry.gross - entry.fee);
  }
  book.add('payout entries', { at: sentAt }, { lines, payout: id });
  const amount = sum(entries.map((entry) => netOf(entry, plan)));
  const toBank = { from: 'Square Clearing', to: 'Checking', amount };
  book.move('payout', { ...toBank, at: `${arrives}T20:00:00Z` }, { payout: id });
  if (returnedAt === undefined) return;
  book.move('payout returned', { ...toBank, at: returnedAt, amount: -amount }, { payout: id });
}

export function netOf(entry: PlannedPayout['entries'][number], plan: MonthPlan): number {
  if (entry.of !== 'order') return entry.gross - entry.fee;
  const order = at(plan.orders, entry.order);
  const fee = order.facts.find((fact) => fact.what === 'fee');
  return totalOf(priceOrder(order)) - (fee?.what === 'fee' ? fee.amount : 0);
}

function accountOf(activity: string): string {
  if (activity.startsWith('RESERVE')) return 'Square Reserve';
  return activity.endsWith('FEE') ? 'Square Fees' : 'Square Adjustments';
}
