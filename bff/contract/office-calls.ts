import * as z from 'zod/mini';
import { chartRequest, closingRequest, exportTokenRequest, reopeningRequest } from './accounting-requests.ts';
import { attention, retried, retryRequest } from './attention.ts';
import { books } from './books.ts';
import type { OfficeCalls } from './call.ts';
import { certificate, checklist } from './certificate.ts';
import { changes } from './changes.ts';
import { contents, exportTokens, newExportToken } from './exports.ts';
import { firstDay } from './first-day.ts';
import { glance } from './glance.ts';
import { keptImage } from './images.ts';
import { intake } from './intake.ts';
import { intakeRequest, measuredRefundRequest } from './intake-request.ts';
import { mailRequest } from './mails.ts';
import { monthMailRequest, monthMails } from './month-mails.ts';
import { contactErasure, orderDetail, orderNoteRequest, orderRows } from './orders.ts';
import { payout, payouts } from './payouts.ts';
import { linkedAccount, ownEmail, passwordChosen, passwordLink, people, personNames } from './people.ts';
import {
  choosePasswordRequest,
  invitationRequest,
  ownEmailRequest,
  ownNameRequest,
  passwordLinkRequest,
  roleRequest,
} from './people-requests.ts';
import { freePickupDays, pickupRequest } from './pickup-plan.ts';
import {
  checklistQuery,
  contentsQuery,
  exportQuery,
  ordersQuery,
  payoutsQuery,
  refundsQuery,
  reportQuery,
  securityLogQuery,
  settingsHistoryQuery,
  statisticsQuery,
} from './queries.ts';
import { refundAllowance } from './refund-limits.ts';
import { refundRequest } from './refund-request.ts';
import { refund, refundProblem, refunds } from './refunds.ts';
import { reimbursementRequest, splitCorrectionRequest } from './reimbursements.ts';
import { report } from './reports.ts';
import {
  explanationRequest,
  orphanAssignment,
  orphanRefund,
  orphanRefundRequest,
  writeOffRequest,
} from './resolutions.ts';
import { secondFactorNeeded } from './second-factor.ts';
import { securityLog } from './security-log.ts';
import { passwordChanged, passwordStrength, session, sessions, signedIn, weakPassword } from './session.ts';
import {
  passwordChangeRequest,
  passwordStrengthRequest,
  reauthenticationRequest,
  signInRequest,
} from './session-requests.ts';
import { adminSettings, settingsConflict, settingsHistory } from './settings.ts';
import { settingsRequest } from './settings-request.ts';
import { statistics } from './statistics.ts';
import { today } from './today.ts';

const nothing = z.object({});
const managePeople = { permission: 'managePeople', problems: [404, 409] } as const;

export const officeCalls = {
  'POST /api/admin/login': {
    summary: 'Sign in',
    access: 'anyone',
    body: signInRequest,
    answers: { 200: signedIn, 202: secondFactorNeeded },
    problems: [401],
  },
  'POST /api/admin/reauthenticate': {
    summary: 'Give the password again, and a code if the account has a second factor',
    permission: 'useOwnAccount',
    body: reauthenticationRequest,
    answers: { 200: signedIn },
    problems: [403],
  },
  'POST /api/admin/logout': { summary: 'Sign out', permission: 'useOwnAccount', body: nothing, answers: { 204: null } },
  'GET /api/admin/session': {
    summary: 'Return the current session',
    permission: 'useOwnAccount',
    answers: { 200: session },
  },
  'GET /api/admin/sessions': {
    summary: 'List the sessions of the account',
    permission: 'useOwnAccount',
    answers: { 200: sessions },
  },
  'DELETE /api/admin/sessions': {
    summary: 'End all sessions of the account',
    permission: 'endOwnSessions',
    answers: { 204: null },
  },
  'DELETE /api/admin/sessions/:id': {
    summary: 'End one session',
    permission: 'endOwnSessions',
    answers: { 204: null },
    problems: [404, 422],
  },
  'POST /api/admin/set-password': {
    summary: 'Change the password; needs the token of the latest sign-in as a bearer',
    permission: 'useOwnAccount',
    body: passwordChangeRequest,
    answers: { 200: passwordChanged, 422: weakPassword },
    problems: [403, 422],
  },
  'POST /api/admin/password-strength': {
    summary: 'Rate a new password; changes nothing',
    permission: 'useOwnAccount',
    body: passwordStrengthRequest,
    answers: { 200: passwordStrength },
    problems: [422],
  },
  'POST /api/admin/account/name': {
    summary: 'Change the own display name',
    permission: 'changeOwnName',
    body: ownNameRequest,
    answers: { 204: null },
    problems: [422],
  },
  'GET /api/admin/account/email': {
    summary: 'Return where messages about the own account go',
    permission: 'useOwnAccount',
    answers: { 200: ownEmail },
  },
  'POST /api/admin/account/email': {
    summary: 'Change where messages about the own account go',
    permission: 'changeOwnEmail',
    body: ownEmailRequest,
    answers: { 204: null },
    problems: [422],
  },
  'POST /api/admin/password-link': {
    summary: 'Return the account of a link of an invitation or of a reset',
    access: 'anyone',
    body: passwordLinkRequest,
    answers: { 200: linkedAccount },
    problems: [404, 422],
  },
  'POST /api/admin/password-link/use': {
    summary: 'Choose the password with such a link, which works once',
    access: 'anyone',
    body: choosePasswordRequest,
    answers: { 200: passwordChosen, 422: weakPassword },
    problems: [404, 422],
  },
  'GET /api/admin/people': { summary: 'List the people', permission: 'readPeople', answers: { 200: people } },
  'GET /api/admin/people/names': {
    summary: 'List the names to show instead of sign-in names',
    permission: 'readNames',
    answers: { 200: personNames },
  },
  'POST /api/admin/people': {
    ...managePeople,
    summary: 'Invite a person; only this answer contains the token of the link',
    body: invitationRequest,
    answers: { 201: passwordLink },
    problems: [409, 422],
  },
  'POST /api/admin/people/:username/link': {
    ...managePeople,
    summary: 'Make another link with which the person chooses a password',
    body: nothing,
    answers: { 201: passwordLink },
  },
  'POST /api/admin/people/:username/role': {
    ...managePeople,
    summary: 'Give a person another role; their sessions end',
    body: roleRequest,
    answers: { 204: null },
    problems: [404, 409, 422],
  },
  'POST /api/admin/people/:username/disable': {
    ...managePeople,
    summary: 'Disable an account; its sessions and export tokens end',
    body: nothing,
    answers: { 204: null },
  },
  'POST /api/admin/people/:username/enable': {
    ...managePeople,
    summary: 'Enable a disabled account',
    body: nothing,
    answers: { 204: null },
  },
  'GET /api/admin/security-log': {
    summary: 'List the entries of the security log, newest first',
    permission: 'readSecurityLog',
    query: securityLogQuery,
    answers: { 200: securityLog },
  },
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
