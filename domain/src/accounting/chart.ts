import type { Cents } from '../money.ts';

/** The accounts of the books. The accountant configures the name and number of each account. */
export const accounts = [
  'clearing',
  'premiumRevenue',
  'midrangeRevenue',
  'economyRevenue',
  'addOnRevenue',
  'deliveryRevenue',
  'salesTaxPayable',
  'refunds',
  'processingFees',
  'disputes',
  'unidentifiedReceipts',
  'bank',
  'otherSales',
  'squareFees',
  'squareReserve',
  'squareAdjustments',
] as const;
export type Account = (typeof accounts)[number];

/** One line of a journal entry: a debit is positive, a credit negative. */
export type Posting = { readonly account: Account; readonly amount: Cents };

/** The name of an account in the accountant's books. */
export type AccountName = {
  /** Exactly as in QuickBooks; a sub-account is `Parent:Sub`. */
  readonly name: string;
  /** The account's code in Xero. */
  readonly code: string;
};

export type ChartOfAccounts = {
  readonly accounts: Readonly<Record<Account, AccountName>>;
  /** The full name of the Xero tax rate of every line. It must add no tax: tax has its own line. */
  readonly taxRate: string;
};

/** The names until the accountant changes them. */
export const usualChart: ChartOfAccounts = {
  accounts: {
    clearing: { name: 'Square Clearing', code: '1050' },
    premiumRevenue: { name: 'Rug Cleaning:Premium', code: '4010' },
    midrangeRevenue: { name: 'Rug Cleaning:Midrange', code: '4020' },
    economyRevenue: { name: 'Rug Cleaning:Economy', code: '4030' },
    addOnRevenue: { name: 'Add-ons', code: '4100' },
    deliveryRevenue: { name: 'Pickup and Delivery', code: '4200' },
    salesTaxPayable: { name: 'Sales Tax Payable', code: '2200' },
    refunds: { name: 'Refunds and Allowances', code: '4900' },
    processingFees: { name: 'Card Processing Fees', code: '6100' },
    disputes: { name: 'Disputed Payments', code: '6150' },
    unidentifiedReceipts: { name: 'Unidentified Receipts', code: '2900' },
    bank: { name: 'Checking', code: '1010' },
    otherSales: { name: 'Sales Outside Kilim', code: '4800' },
    squareFees: { name: 'Square Fees', code: '6110' },
    squareReserve: { name: 'Square Reserve', code: '1060' },
    squareAdjustments: { name: 'Square Adjustments', code: '6190' },
  },
  taxRate: 'Tax Exempt',
};

export const chartLimits = { longestName: 100, longestCode: 10, longestTaxRate: 50 } as const;
