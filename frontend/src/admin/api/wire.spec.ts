import type {
  AdminOrderAnswer,
  AdminOrderRow,
  AdminRefund,
  AdminSettingsAnswer,
  ContactErasureAnswer,
  ListedSessionAnswer,
  PasswordStrengthAnswer,
  RefundRequest,
  SettingsConflictAnswer,
  SettingsHistoryEntry,
  StatisticsAnswer,
} from '@kilim/bff/api';
import { describe, expect, test } from 'vitest';
import type * as z from 'zod/mini';
import { sessionsSchema, strengthSchema } from '../password/password-calls.ts';
import type { RefundRequest as SentRefund } from '../refunds/refund-form.ts';
import { conflictSchema, historySchema, settingsSchema } from '../settings/settings-calls.ts';
import { erasureSchema, orderAnswerSchema, orderRowsSchema, refundsSchema, statisticsSchema } from './wire.ts';

/*
 * Each answer here has the server's own type, so that a field which is renamed, added or changed there stops the build here; and each is
 * read by the schema that reads it in the page, so that a page which asks for more than the server says fails as well.
 */

const noon = '2026-11-21T20:00:00.000Z';

const row: AdminOrderRow = {
  _id: '01a1feae-20e0-70e4-ba26-5553380efc5e',
  createdAt: noon,
  totalCost: 758.22,
  paymentId: null,
  paymentStatus: 'declined',
  includesDelivery: true,
  customerInfo: null,
  rugCount: 2,
  refundStatus: 'No Refunds',
  remainingRefundable: 0,
  disputeStatus: 'none',
};

const refund: AdminRefund = {
  _id: 'refund-a-0123456789',
  refundId: 'refund-a-0123456789',
  orderId: { _id: row._id },
  paymentId: '7cbbc7ed0aec71cd',
  squareRefundId: null,
  amount: 242.22,
  status: 'failed',
  refundType: 'partial',
  reason: 'Goodwill',
  adminNotes: null,
  createdAt: noon,
  settledAt: null,
  rugItems: [{ rugIndex: 1, amount: 242.22 }],
  deliveryMinimum: 0,
  split: { services: 75.08, addOns: 134.75, delivery: 19.25, deliveryMinimum: 0, salesTax: 13.14 },
  requestedBy: 'ada',
  failure: { code: 'REFUND_DECLINED', message: 'Square declined the refund.', advice: 'Please try another way.' },
};

const answer: AdminOrderAnswer = {
  order: {
    ...{ _id: row._id, createdAt: noon, paidAt: noon, totalCost: 758.22, paymentId: '7cbbc7ed0aec71cd' },
    ...{ paymentStatus: 'paid', includesDelivery: true, deliveryOption: 'pickup' },
    customerInfo: {
      ...{ name: 'Ada Lovelace', email: 'ada@example.com', phone: '3105550142' },
      ...{ address: '12 Analytical Way', city: 'Los Angeles', state: 'CA', zipCode: '90025' },
    },
    ...{ subtotal: 551.08, delivery: 59.25, deliveryMinimum: 0, salesTax: 13.14 },
    addOns: { stainProtection: 0, mothProtection: 134.75, repairInspection: 0 },
    payment: {
      ...{ squarePaymentId: 'AhgIMdBhBYo1', cardBrand: 'VISA', cardLastFour: '1111', amount: 758.22 },
      ...{ receiptUrl: null, receiptNumber: null, capturedAt: noon, fee: null },
    },
    ...{ refundStatus: 'Refund Pending', refunded: 0, refundPending: 242.22, remainingRefundable: 516 },
    ...{ refundableDeliveryMinimum: 0, refundBlock: null, disputeStatus: 'open' },
    source: { embedded: false, variant: 'B' },
  },
  items: [
    {
      ...{ widthFeet: 8, widthInches: 0, lengthFeet: 10, lengthInches: 0, width: 8, length: 10, unit: 'feet' },
      ...{ serviceTier: 'premium', stainProtection: true, mothProtection: false, repairInspection: false },
      ...{ area: 80, pricePerSqft: 5.95, baseCost: 476, deliveryCost: 40, totalCost: 516 },
      ...{ stainProtectionCost: 0, mothProtectionCost: 0, salesTax: 0, refundable: 516 },
      refundableCharges: {
        baseCost: 476,
        deliveryCost: 40,
        stainProtectionCost: 0,
        mothProtectionCost: 0,
        salesTax: 0,
      },
    },
  ],
  timeline: [
    { at: noon, what: 'Order placed for $758.22', detail: null, amount: null, tone: 'plain', who: 'Customer' },
  ],
  refunds: [refund],
};

const figures = { orders: 1, takings: 758.22, refunds: 0, refundCount: 0, fees: 22.29, net: 735.93 };
const statistics: StatisticsAnswer = {
  ...{ from: '2026-10-23', to: '2026-11-21', timeZone: 'America/Los_Angeles' },
  days: [{ ...figures, date: '2026-11-21' }],
  ...{ total: figures, today: figures, thisMonth: { ...figures, net: -10.5 } },
};

const words = { premium: 'a', midrange: 'b', economy: 'c' };
const settings: AdminSettingsAnswer = {
  version: 3,
  tierPrices: { premium: 5.95, midrange: 3.95, economy: 1.95 },
  tierFeatures: { premium: ['Fiber protection'], midrange: [], economy: [] },
  tierComparison: {
    rows: {
      ...{ washProcess: words, washingCoverage: words, waterSaturation: words },
      ...{ deDusting: words, tierPerks: words, specialBonuses: words },
    },
    recommendations: words,
    experience: { title: '37+ years', text: 'of rug cleaning' },
  },
  terms: '',
  addOnImages: { pad: '/images/a.webp' },
  business: { name: 'Kilim', phone: '', bookingUrl: '', dropOffSites: [{ name: 'Valley', note: 'walk-ins welcome' }] },
};

const conflict: SettingsConflictAnswer = {
  ...{ code: 'SettingsChanged', message: 'ada saved other settings meanwhile.', current: settings },
  ...{ changedBy: 'ada', changedAt: noon },
  differences: [{ path: 'terms', name: 'Terms', base: '', yours: 'a', theirs: 'b' }],
};

const history: SettingsHistoryEntry = { version: 3, at: noon, by: 'ada', changes: ['Terms changed'] };
const session: ListedSessionAnswer = {
  ...{ id: '01a1feae', createdAt: noon, seenAt: noon },
  ...{ address: '192.0.2.10', userAgent: 'Firefox', current: true },
};
const erasure: ContactErasureAnswer = { erasedAt: noon, erasedBy: 'ada' };
const strength: PasswordStrengthAnswer = { score: 4, message: null, suggestions: [] };

describe('what the server says is understood:', () => {
  const answers: readonly (readonly [what: string, schema: z.ZodMiniType, answer: unknown])[] = [
    ['a list of orders', orderRowsSchema, [row]],
    ['an order', orderAnswerSchema, answer],
    ['a list of refunds', refundsSchema, [refund]],
    ['the figures', statisticsSchema, statistics],
    ['the settings', settingsSchema, settings],
    ['a conflict of settings', conflictSchema, conflict],
    ['the history of settings', historySchema, [history]],
    ['the list of sessions', sessionsSchema, [session]],
    ['an erasure', erasureSchema, erasure],
    ['the strength of a password', strengthSchema, strength],
  ];

  test.each(answers)('%s', (_, schema, given) => {
    expect(schema.safeParse(given)).toMatchObject({ success: true });
  });

  test('an amount that is no amount of dollars is not', () => {
    expect(orderRowsSchema.safeParse([{ ...row, totalCost: 758.225 }]).success).toBe(false);
  });
});

test('a refund is asked for as the server expects it', () => {
  const sent: SentRefund = {
    ...{ paymentId: '7cbbc7ed0aec71cd', amount: '242.22', reason: 'Goodwill', refundType: 'partial' },
    rugItems: [{ rugIndex: 1, amount: '242.22', reason: 'Goodwill' }],
    idempotencyKey: 'refund-a-0123456789',
  };
  const expected: RefundRequest = sent;
  expect(expected).toBe(sent);
});
