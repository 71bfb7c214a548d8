import type { Calls } from './call.ts';
import { config } from './config.ts';
import { difference } from './differences.ts';
import { differencePayment, paymentRequest, quoteRequest, saveOrderRequest } from './order-request.ts';
import { paid, paymentAttempt, paymentDeclined, paymentPending, priceChanged } from './payment.ts';
import { pickupDays } from './pickup-plan.ts';
import { quote } from './quote.ts';
import { paidOrder, verification } from './receipt.ts';
import { settings } from './settings.ts';
import { visit } from './visit.ts';

export const shopCalls = {
  'GET /api/config': { summary: 'Tell how to pay here and who the business is', answers: { 200: config } },
  'GET /api/settings': { summary: 'Tell the public part of the settings', answers: { 200: settings } },
  'GET /api/pickup-days': {
    summary: 'Tell which of the next days have no room for another pickup',
    answers: { 200: pickupDays },
  },
  'POST /api/visits': {
    summary: 'Count how fast a page was for a visitor; stores nothing',
    body: visit,
    answers: { 204: null },
    problems: [422],
  },
  'POST /api/quote': {
    summary: 'Price an order; stores and charges nothing',
    body: quoteRequest,
    answers: { 200: quote },
    problems: [422],
  },
  'POST /api/process-payment': {
    summary: 'Charge a card for an order',
    body: paymentRequest,
    answers: { 200: paid, 202: paymentPending, 402: paymentDeclined, 409: priceChanged },
    problems: [404, 409, 422],
  },
  'GET /api/differences/:id': {
    summary: 'Tell which difference a customer is asked to pay',
    answers: { 200: difference },
    problems: [404],
  },
  'POST /api/differences/:id/pay': {
    summary: 'Charge a card for a difference',
    body: differencePayment,
    answers: { 200: paid, 202: paymentPending, 402: paymentDeclined },
    problems: [404, 409, 422],
  },
  'GET /api/payment-attempts/:key': {
    summary: 'Tell what became of an attempt to pay',
    answers: { 200: paymentAttempt },
    problems: [404],
  },
  'POST /api/save-order': {
    summary: 'Return the order that a payment paid; records nothing new',
    body: saveOrderRequest,
    answers: { 200: paidOrder },
    problems: [404, 409, 410, 422],
  },
  'GET /api/orders/payment/:paymentId': {
    summary: 'Return the order that a payment paid; the contact is masked unless this browser paid',
    answers: { 200: paidOrder },
    problems: [404, 410],
  },
  'GET /api/orders/payment/:paymentId/calendar': {
    summary: 'Download the day of an order as an entry for a calendar',
    answers: { 200: { mediaType: 'text/calendar' } },
    problems: [404, 410],
  },
  'GET /api/verify-payment/:paymentId': {
    summary: 'Tell whether a payment was captured; asks Square when the ledger does not know',
    answers: { 200: verification },
    problems: [404],
  },
} as const satisfies Calls;
