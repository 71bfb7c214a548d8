import * as z from 'zod/mini';
import { chartRequest, closingRequest, exportTokenRequest, reopeningRequest } from './accounting-requests.ts';
import { books } from './books.ts';
import type { OfficeCalls } from './call.ts';
import { certificate, checklist } from './certificate.ts';
import { contents, exportTokens, newExportToken } from './exports.ts';
import { glance } from './glance.ts';
import { monthMailRequest, monthMails } from './month-mails.ts';
import { payout, payouts } from './payouts.ts';
import { checklistQuery, contentsQuery, exportQuery, payoutsQuery, reportQuery } from './queries.ts';
import { report } from './reports.ts';
import {
  explanationRequest,
  orphanAssignment,
  orphanRefund,
  orphanRefundRequest,
  writeOffRequest,
} from './resolutions.ts';

const nothing = z.object({});

export const accountingCalls = {
  'GET /api/admin/ledger/export': {
    summary: 'Download an export of the ledger',
    permission: 'export',
    access: 'export-token',
    query: exportQuery,
    answers: { 200: { mediaType: '*/*' }, 304: null },
  },
  'GET /api/admin/ledger/note': {
    summary: 'Download the newest note of the ledger, which proves it when it is kept elsewhere',
    permission: 'export',
    access: 'export-token',
    answers: { 200: { mediaType: 'text/plain' } },
    problems: [404],
  },
  'GET /api/admin/ledger/report': {
    summary: 'Return a report of a range for the screen; the exports have it as a file',
    permission: 'export',
    query: reportQuery,
    answers: { 200: report },
  },
  'GET /api/admin/ledger/contents': {
    summary: 'Tell what the exports of a range contain',
    permission: 'export',
    query: contentsQuery,
    answers: { 200: contents },
  },
  'GET /api/admin/month-mails': {
    summary: 'List the months whose files were mailed to the accountant',
    permission: 'export',
    answers: { 200: monthMails },
  },
  'POST /api/admin/month-mails': {
    summary: 'Mail the files of a month to the accountant',
    permission: 'export',
    body: monthMailRequest,
    answers: { 202: null },
    problems: [409, 422],
  },
  'GET /api/admin/export-tokens': {
    summary: 'List the export tokens',
    permission: 'manageTokens',
    answers: { 200: exportTokens },
  },
  'POST /api/admin/export-tokens': {
    summary: 'Create an export token with an expiry; only this answer contains it',
    permission: 'createTokens',
    body: exportTokenRequest,
    answers: { 201: newExportToken },
    problems: [409, 422],
  },
  'DELETE /api/admin/export-tokens/:id': {
    summary: 'Revoke an export token',
    permission: 'manageTokens',
    answers: { 204: null },
    problems: [404, 422],
  },
  'GET /api/admin/books': {
    summary: 'Return closed periods and the chart of accounts',
    permission: 'readBooks',
    answers: { 200: books },
  },
  'POST /api/admin/books/close': {
    summary: 'Close all days through one day',
    permission: 'closePeriods',
    body: closingRequest,
    answers: { 200: books },
    problems: [409, 422],
  },
  'GET /api/admin/books/checklist': {
    summary: 'Tell what is open before all days through one are closed',
    permission: 'readBooks',
    query: checklistQuery,
    answers: { 200: checklist },
  },
  'GET /api/admin/books/closings/:version/certificate': {
    summary: 'Return the certificate of a closing: sums, and the digest of every file',
    permission: 'readBooks',
    answers: { 200: certificate },
    problems: [404],
  },
  'POST /api/admin/books/reopen': {
    summary: 'Reopen the days of the latest closing',
    permission: 'reopenPeriods',
    body: reopeningRequest,
    answers: { 200: books },
    problems: [409, 422],
  },
  'POST /api/admin/books/accounts': {
    summary: 'Name the accounts of the chart',
    permission: 'nameAccounts',
    body: chartRequest,
    answers: { 200: books },
    problems: [409, 422],
  },
  'GET /api/admin/books/glance': {
    summary: 'Tell whether the ledger, the lists and Square agree',
    permission: 'readBooks',
    answers: { 200: glance },
  },
  'GET /api/admin/payouts': {
    summary: 'List the payouts of Square, newest first',
    permission: 'readBooks',
    query: payoutsQuery,
    answers: { 200: payouts },
  },
  'GET /api/admin/payouts/:id': {
    summary: 'Return one payout with its sums and its first lines',
    permission: 'readBooks',
    answers: { 200: payout },
    problems: [404],
  },
  'POST /api/admin/books/comparison': {
    summary: 'Start a comparison of the ledger with the lists and with Square',
    permission: 'readBooks',
    body: nothing,
    answers: { 202: null },
  },
  'POST /api/admin/books/check': {
    summary: 'Start a check of all events by a server',
    permission: 'readBooks',
    body: nothing,
    answers: { 202: null },
  },
  'POST /api/admin/books/differences/explain': {
    summary: 'Take a difference off the list. The reason is an event of the ledger',
    permission: 'explainDifferences',
    body: explanationRequest,
    answers: { 204: null },
    problems: [404, 422],
  },
  'POST /api/admin/books/differences/assign': {
    summary: 'Book a payment without an order as income of an order',
    permission: 'bookDifferences',
    body: orphanAssignment,
    answers: { 204: null },
    problems: [404, 409, 422],
  },
  'POST /api/admin/books/differences/write-off': {
    summary: 'Write off a payment without an order',
    permission: 'bookDifferences',
    body: writeOffRequest,
    answers: { 204: null },
    problems: [404, 409, 422],
  },
  'POST /api/admin/books/clearing/write-off': {
    summary: 'Write off an open item of the clearing account that no payout has brought',
    permission: 'bookDifferences',
    body: writeOffRequest,
    answers: { 204: null },
    problems: [404, 422],
  },
  'POST /api/admin/books/resolutions/:version/undo': {
    summary: 'Undo the resolution of a difference: a booking is reversed',
    permission: 'bookDifferences',
    answers: { 204: null },
    problems: [404, 409],
  },
  'POST /api/admin/books/differences/refund': {
    summary: 'Have Square refund a payment without an order',
    permission: 'refundOrphans',
    body: orphanRefundRequest,
    answers: { 200: orphanRefund },
    problems: [404, 409, 422],
  },
} as const satisfies OfficeCalls;
