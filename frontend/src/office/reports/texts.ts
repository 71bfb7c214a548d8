import type { FigureName, ReportName } from '@kilim/bff/contract/reports';

export const reportTexts = {
  title: 'Reports',
  note: (timeZone: string) =>
    `From the journal, which has each payment, refund and fee as debits and credits, by the day of posting. Days are those of the business (${timeZone}).`,
  choice: 'Report and days',
  report: 'Report',
  account: 'Account',
  loading: 'Adding up the journal...',
  failed: 'The report could not be loaded',
  nothing: 'Nothing to report in these days.',
  period: (name: string, from: string, to: string) => `${name}, ${from} to ${to}`,
  asOf: (name: string, to: string) => `${name} after ${to}`,
  showAll: (rows: number) => `Show all ${rows.toLocaleString('en-US')} rows`,
  more: (shown: string, all: string) => `The first ${shown} of ${all} rows. The file has all of them.`,
  total: 'Total',
  download: 'Download CSV',
  print: 'Print',
  withIds: 'Show the ids at Square',
} as const;

export const reports = {
  'trial-balance': {
    name: 'Trial balance',
    use: 'Debit balances are positive, credit balances negative. Each column of balances adds up to zero.',
  },
  'general-ledger': {
    name: 'General ledger',
    use: 'The lines of one account with its balance after each. The file has every account.',
  },
  clearing: {
    name: 'Clearing open items',
    use: 'What Square still holds or collects after the last day. The items add up to the balance of the account.',
  },
  sales: {
    name: 'Sales by tier and add-on',
    use: 'Without sales tax. A rug with add-ons counts in several rows. Refunds count on the day on which they were made.',
  },
  'sales-tax-return': {
    name: 'Sales tax return',
    use: 'By line of California’s form CDTFA-401-A; choose the quarter of your return. Line 20b is filled in with Schedule Q, which asks for each rate. The file Sales tax on the page Accounting has each month.',
  },
  'form-1099-k': {
    name: 'Card payments for Form 1099-K',
    use: 'By the month in which Square took them, before refunds, disputes and fees. The sum of a year is box 1a of Square’s form, and each month has its own box. Sales outside Kilim are known once a payout has brought them.',
  },
  refunds: {
    name: 'Refunds by reason',
    use: 'Card refunds and money that was given back outside Square, with sales tax. Each part says what was refunded.',
  },
  'customer-deposits': {
    name: 'Paid, not handed over',
    use: 'What customers had paid on the last day for rugs that they did not have again. At the end of a year it is money for work that is still to do. It needs every handed over order to be marked on its page.',
  },
} satisfies Record<ReportName, { readonly name: string; readonly use: string }>;

/** Each has one sentence. */
export const figureTexts = {
  taxable_sales: { name: 'Taxable sales', use: 'Add-ons sold in these days, less refunds of these sales.' },
  tax_due: { name: 'Tax due', use: 'Taxable sales times the rate of each sale.' },
  excess_tax: { name: 'Excess tax collected', use: 'What customers paid beyond the tax due. The State gets it too.' },
  tax_credits: { name: 'Credits', use: 'Tax of earlier sales that were refunded or lost in a dispute: line 20b.' },
} satisfies Record<FigureName, { readonly name: string; readonly use: string }>;

export const columnTexts: Readonly<Record<string, string>> = {
  account: 'Account',
  account_code: 'Code',
  add_ons: 'Add-ons',
  amount: 'Amount',
  area_sq_ft: 'Square feet',
  balance: 'Balance',
  box: 'Box',
  business_date: 'Late, of',
  closing_balance: 'Closing balance',
  credit: 'Credit',
  days_open: 'Days open',
  debit: 'Debit',
  delivery: 'Pickup and delivery',
  deposit: 'Not handed over',
  given_back: 'Given back',
  paid: 'Paid',
  paid_on: 'Paid on',
  delivery_minimum: 'Delivery minimum',
  description: 'Description',
  gross: 'Gross',
  gross_refunds: 'Gross refunds',
  gross_sales: 'Gross sales',
  item: 'Item',
  kind: 'Item',
  last_change: 'Last change',
  line: 'Line',
  month: 'Month',
  net: 'Net',
  on_its_way_in: 'On its way in',
  opening_balance: 'Opening balance',
  order_id: 'Order',
  orders: 'From orders',
  outside: 'Outside Kilim',
  payments: 'Payments',
  position: 'Number',
  posted_on: 'Posted on',
  rate_percent: 'Rate in %',
  reason: 'Reason',
  refund_count: 'Refunds',
  rugs: 'Rugs',
  sales: 'Sales',
  sales_tax: 'Sales tax',
  services: 'Cleaning',
  square_id: 'At Square',
  tax: 'Tax',
  without_order: 'Without an order',
};
