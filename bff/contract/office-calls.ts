import * as z from 'zod/mini';
import { attention, retried, retryRequest } from './attention.ts';
import type { OfficeCalls } from './call.ts';
import { changes } from './changes.ts';
import { firstDay } from './first-day.ts';
import { keptImage } from './images.ts';
import { intake } from './intake.ts';
import { intakeRequest, measuredRefundRequest } from './intake-request.ts';
import { mailRequest } from './mails.ts';
import { contactErasure, orderDetail, orderNoteRequest, orderRows } from './orders.ts';
import { freePickupDays, pickupRequest } from './pickup-plan.ts';
import { ordersQuery, refundsQuery, settingsHistoryQuery, statisticsQuery } from './queries.ts';
import { refundAllowance } from './refund-limits.ts';
import { refundRequest } from './refund-request.ts';
import { refund, refundProblem, refunds } from './refunds.ts';
import { reimbursementRequest, splitCorrectionRequest } from './reimbursements.ts';
import { adminSettings, settingsConflict, settingsHistory } from './settings.ts';
import { settingsRequest } from './settings-request.ts';
import { statistics } from './statistics.ts';
import { today } from './today.ts';

const nothing = z.object({});

export const officeCalls = {
  'GET /api/admin/settings': {
    summary: 'Return all settings; the ETag has their version',
    permission: 'readSettings',
    answers: { 200: adminSettings },
  },
  'POST /api/admin/settings': {
    summary:
      'Save settings over the version that If-Match names. A higher limit on refunds needs a proof of the person within the last minute',
    permission: 'changeSettings',
    body: settingsRequest,
    answers: { 200: adminSettings, 409: settingsConflict },
    problems: [422, 428],
  },
  'GET /api/admin/settings/history': {
    summary: 'List the changes of the settings',
    permission: 'readSettings',
    query: settingsHistoryQuery,
    answers: { 200: settingsHistory },
  },
  'POST /api/admin/images': {
    summary: 'Store an image, the field file of a form',
    permission: 'uploadImages',
    body: { mediaType: 'multipart/form-data' },
    answers: { 200: keptImage },
    problems: [422],
  },
  'GET /api/admin/orders': {
    summary: 'List orders, newest first',
    permission: 'readOrders',
    query: ordersQuery,
    answers: { 200: orderRows },
  },
  'GET /api/admin/orders.csv': {
    summary: 'Download all orders of a list, with its filters',
    permission: 'readOrders',
    query: ordersQuery,
    answers: { 200: { mediaType: 'text/csv' } },
  },
  'GET /api/admin/orders/:id': {
    summary: 'Return one order with its timeline and refunds',
    permission: 'readOrders',
    answers: { 200: orderDetail },
    problems: [404],
  },
  'GET /api/admin/orders/:id/intake': {
    summary: 'Tell where the rugs are, what they measure, and what is due for it',
    permission: 'readOrders',
    answers: { 200: intake },
    problems: [404],
  },
  'POST /api/admin/orders/:id/intake': {
    summary: 'Record a step: rugs are received, a difference is asked for or waived, rugs are ready or handed over',
    permission: 'receiveRugs',
    body: intakeRequest,
    answers: { 200: intake },
    problems: [404, 409, 422],
  },
  'POST /api/admin/orders/:id/intake/refund': {
    summary: 'Refund what smaller rugs cost less',
    permission: 'refund',
    body: measuredRefundRequest,
    answers: { 200: intake },
    problems: [404, 409, 422],
  },
  'GET /api/admin/orders/:id/refunds': {
    summary: 'List the refunds of one order',
    permission: 'readOrders',
    answers: { 200: refunds },
    problems: [404],
  },
  'POST /api/admin/orders/:id/erase-contact': {
    summary: 'Erase the contact of a customer',
    permission: 'eraseContact',
    body: nothing,
    answers: { 200: contactErasure },
    problems: [404],
  },
  'GET /api/admin/refunds': {
    summary: 'List refunds, newest first',
    permission: 'readOrders',
    query: refundsQuery,
    answers: { 200: refunds },
  },
  'POST /api/admin/refund': {
    summary: 'Refund a payment, wholly or in part',
    permission: 'refund',
    body: refundRequest,
    answers: { 201: refund, 400: refundProblem, 404: refundProblem, 409: refundProblem, 422: refundProblem },
  },
  'GET /api/admin/today': {
    summary: 'Return what the shop does today: customers to call, pickups, rugs that are due, and takings',
    permission: 'readOrders',
    answers: { 200: today },
  },
  'GET /api/admin/first-day': {
    summary: 'Return what a new owner does until the shop can open',
    permission: 'readSettings',
    answers: { 200: firstDay },
  },
  'POST /api/admin/first-day/mail': {
    summary: 'Mail the shop to try it',
    permission: 'readSettings',
    body: nothing,
    answers: { 202: null },
    problems: [409],
  },
  'GET /api/admin/orders/:id/pickup-days': {
    summary: 'List the next days on which the shop drives and has room for this order',
    permission: 'writeNotes',
    answers: { 200: freePickupDays },
    problems: [404],
  },
  'POST /api/admin/orders/:id/pickup': {
    summary: 'Record the day on which the shop and the customer agreed for the pickup',
    permission: 'writeNotes',
    body: pickupRequest,
    answers: { 204: null },
    problems: [404, 409, 422],
  },
  'POST /api/admin/orders/:id/notes': {
    summary: 'Write a note about an order; it is stored beside the ledger',
    permission: 'writeNotes',
    body: orderNoteRequest,
    answers: { 204: null },
    problems: [404, 422],
  },
  'DELETE /api/admin/orders/:id/notes/:note': {
    summary: 'Delete a note',
    permission: 'writeNotes',
    answers: { 204: null },
    problems: [400, 403, 404, 415],
  },
  'POST /api/admin/orders/:id/reimbursements': {
    summary: 'Record money that the customer got back outside Square',
    permission: 'refund',
    body: reimbursementRequest,
    answers: { 201: refund },
    problems: [404, 409, 422],
  },
  'POST /api/admin/orders/:id/split-corrections': {
    summary: 'Correct what a completed refund was for',
    permission: 'bookDifferences',
    body: splitCorrectionRequest,
    answers: { 204: null },
    problems: [404, 409, 422],
  },
  'GET /api/admin/refund-allowance': {
    summary: 'Return how much the person may refund now',
    permission: 'readRefundAllowance',
    answers: { 200: refundAllowance },
  },
  'GET /api/admin/attention': {
    summary: 'List what needs a person',
    permission: 'readOrders',
    answers: { 200: attention },
  },
  'POST /api/admin/attention/retry': {
    summary: 'Ask Square again about work that waits for a person',
    permission: 'retryWork',
    body: retryRequest,
    answers: { 200: retried },
    problems: [404, 422],
  },
  'POST /api/admin/mails/send': {
    summary: 'Send a mail again that was sent or could not be delivered',
    permission: 'retryWork',
    body: mailRequest,
    answers: { 204: null },
    problems: [404, 422],
  },
  'POST /api/admin/mails/drop': {
    summary: 'Give up a mail that could not be delivered',
    permission: 'retryWork',
    body: mailRequest,
    answers: { 204: null },
    problems: [404, 422],
  },
  'GET /api/admin/changes': {
    summary: 'Return a text that differs after each change, so that an open page notices changes',
    permission: 'readOrders',
    answers: { 200: changes },
  },
  'GET /api/admin/statistics': {
    summary: 'Return takings, refunds and fees by day',
    permission: 'readStatistics',
    query: statisticsQuery,
    answers: { 200: statistics },
  },
} as const satisfies OfficeCalls;
