import type { ListedFormat, TokenEnd } from '@kilim/bff/contract/exports';
import type { Account } from '@kilim/domain/accounting/chart';
import type { PresetName } from './day-range.ts';

export const rangeTexts = {
  presets: {
    thisMonth: 'This month',
    lastMonth: 'Last month',
    thisQuarter: 'This quarter',
    lastQuarter: 'Last quarter',
    thisYear: 'This year',
    lastYear: 'Last year',
  } satisfies Record<PresetName, string>,
  from: 'First day',
  to: 'Last day',
  closed: 'Closed: never changes',
  open: 'Open: may still change',
} as const;

export const accountTexts = {
  clearing: 'Square clearing',
  premiumRevenue: 'Premium cleaning',
  midrangeRevenue: 'Midrange cleaning',
  economyRevenue: 'Economy cleaning',
  addOnRevenue: 'Add-ons',
  deliveryRevenue: 'Pickup and delivery',
  salesTaxPayable: 'Sales tax payable',
  refunds: 'Refunds without tax',
  processingFees: 'Processing fees',
  disputes: 'Disputes',
  unidentifiedReceipts: 'Unidentified receipts',
  bank: 'Bank account',
  otherSales: 'Sales outside Kilim',
  squareFees: 'Other fees of Square',
  squareReserve: 'Reserve at Square',
  squareAdjustments: 'Adjustments by Square',
  reimbursements: 'Reimbursements outside Square',
  cashAndChecks: 'Cash and checks',
} satisfies Record<Account, string>;

type FormatText = { readonly name: string; readonly use: string };

/** In the order of the Accounting tab. */
export const listedTexts = {
  'quickbooks-csv': { name: 'QuickBooks Online', use: 'Journal entries to import, one for each day and each payout' },
  'xero-csv': { name: 'Xero', use: 'Manual journals to import, one for each day, without the bank account' },
  'payouts-csv': { name: 'Payouts', use: 'Payments, refunds and fees in each payout, with their orders' },
  'sales-tax-csv': { name: 'Sales tax', use: 'Taxable sales, tax collected and refunded, by month' },
  'takings-csv': { name: 'Daily takings', use: 'What each day took, refunded and cost' },
  csv: { name: 'Event log (CSV)', use: 'Everything that was recorded, for a spreadsheet' },
  jsonl: { name: 'Event log (JSON Lines)', use: 'Everything with its hashes, to prove it' },
} satisfies Record<ListedFormat, FormatText>;

export const tokenTexts = {
  heading: 'Export tokens',
  note: 'For a spreadsheet or a script that downloads files by itself. A token, a long password for that, can do nothing else.',
  list: 'Export tokens',
  show: 'Show and create tokens',
  loading: 'Loading tokens...',
  loadFailed: 'The tokens could not be loaded',
  none: 'There are no tokens yet.',
  name: 'Name of the new token',
  nameHint: 'Whose script it is',
  expiry: 'Valid for',
  expiries: { 7: '7 days', 30: '30 days', 90: '90 days', 180: '180 days', 365: 'One year' },
  create: 'Create token',
  created: 'Copy this token now: it is shown only once.',
  how: 'Send it as a header, never in an address: Authorization: Bearer',
  copy: 'Copy',
  copied: 'Copied',
  copyFailed: 'Please select and copy it by hand',
  made: (time: string, by: string) => `Created ${time} by ${by}`,
  used: (day: string) => `last used ${day}`,
  expires: (day: string) => `expires ${day}`,
  expired: (day: string) => `expired ${day}`,
  neverUsed: 'never used',
  ends: { revoked: 'Revoked', expired: 'Expired', creator: 'Account not active' } satisfies Record<TokenEnd, string>,
  revoke: 'Revoke',
  revokeOf: (name: string) => `Revoke ${name}`,
  failed: 'The token could not be created',
  revokeFailed: 'The token could not be revoked',
} as const;

/** The servers' own check of the ledger. */
export const checkTexts = {
  check: 'Check now',
  checking: 'Checking...',
  underWay: 'The check is running.',
  takesLong: 'The check is still running. It goes on without you; look again in a few minutes.',
  failed: 'The check could not be started',
  never: 'Nothing was checked yet.',
  ended: (time: string) => `Checked ${time}.`,
  unchanged: (events: string) =>
    events === '1' ? 'The only event is unchanged' : `All ${events} events are unchanged`,
  faults: (count: number) => (count === 1 ? '1 fault was found' : `${count.toLocaleString('en-US')} faults were found`),
  tell: 'Tell the person who runs the server; the technical details name what was found.',
} as const;
