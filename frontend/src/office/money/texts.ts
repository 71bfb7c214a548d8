import type { MonthMails, Program } from '@kilim/bff/contract/month-mails';
import type { PayoutState } from '@kilim/bff/contract/payouts';

export const moneyTexts = {
  title: 'Money',
  months: 'Money by month',
  monthsNote: 'What customers paid, by card or in the shop, by the day of the payment.',
  monthsLoading: 'Loading the months...',
  monthsFailed: 'The months could not be loaded',
  month: 'Month',
  soFar: (month: string) => `${month}, so far`,
  orders: 'Orders',
  taken: 'Paid',
  refunded: 'Paid back',
  fees: 'Card fees',
  disputes: 'Disputed',
  left: 'Left',
  onItsWay: 'On its way to your bank',
  onItsWayNote: 'Square collects what customers pay, keeps its fees, and sends you the rest.',
  onItsWayLoading: 'Loading what is on its way...',
  onItsWayFailed: 'What is on its way could not be loaded',
  nothingPaidOut: 'Square has not sent you anything yet.',
  payout: {
    sent: (day: string) => `On its way, due ${day}`,
    paid: (day: string) => `Arrived ${day}`,
    failed: (day: string) => `Sent back by your bank ${day}`,
  } satisfies Record<PayoutState, (day: string) => string>,
  allPayouts: 'Everything paid to your bank',
  tax: 'Sales tax to pay',
  taxNote: 'Customers pay it with their order, and you pay it on to the State, less the tax of money that went back.',
  taxLoading: 'Adding up the sales tax...',
  taxFailed: 'The sales tax could not be added up',
  taxOf: (from: string, to: string) => `for ${from} to ${to}`,
  taxReturn: 'What to enter in the return',
  taxThisQuarter: 'This quarter so far',
} as const;

export const sendTexts = {
  heading: 'For your accountant',
  note: 'Your accountant gets the files of a month by mail, or signs in to see everything.',
  loading: 'Loading what was sent...',
  failed: 'What was sent could not be loaded',
  nobody:
    'The mail address of your accountant is not known. The person who runs the server can set it. Until then, download the files under Accounting.',
  open: 'Send to my accountant',
  contents: (to: string) =>
    `${to} gets the sales, refunds and fees of each day to import, the sales tax by line, and what was paid to your bank. No names of customers.`,
  month: 'Month',
  program: 'For which program?',
  programs: { quickbooks: 'QuickBooks', xero: 'Xero' } satisfies Record<Program, string>,
  send: (month: string) => `Send ${month}`,
  sending: 'Sending...',
  notSent: 'The files could not be sent. Please try again.',
  done: (month: string, to: string) => ({
    title: `${month} is on its way`,
    description: `${to} gets a mail within a minute.`,
  }),
  sentList: 'Sent to your accountant',
  states: {
    waiting: (month: string, program: string, at: string) => `${month} for ${program}: being sent since ${at}`,
    sent: (month: string, program: string, at: string) => `${month} for ${program}: sent ${at}`,
    undelivered: (month: string, program: string, at: string) =>
      `${month} for ${program}: not delivered ${at}. See Today.`,
    dropped: (month: string, program: string, at: string) => `${month} for ${program}: given up ${at}`,
  } satisfies Record<MonthMails['mails'][number]['state'], (month: string, program: string, at: string) => string>,
  accounting: 'Files and finished months',
  reports: 'Reports',
  books: 'Compare with Square',
} as const;

export const chartTexts = {
  takings: 'Paid',
  refunds: 'Paid back',
  orders: 'Orders',
  chart: 'Paid and paid back per day',
  chartOf: (from: string, to: string) => `${from} to ${to}`,
  chartSummary: (takings: string, refunds: string, orders: number) =>
    `${takings} paid and ${refunds} paid back on ${orders.toLocaleString('en-US')} ${orders === 1 ? 'order' : 'orders'}`,
  bar: (day: string, takings: string, refunds: string) => `${day}: ${takings} paid, ${refunds} paid back`,
  asTable: 'Show the days as a table',
  day: 'Day',
} as const;
