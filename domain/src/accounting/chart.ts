import type { Account } from '../projection/journal.ts';

/** What an account is called in the accountant's books. */
export type AccountName = {
  /** Exactly as QuickBooks has it; a sub-account is `Parent:Sub`. */
  readonly name: string;
  /** The code that Xero knows it by. */
  readonly code: string;
};

export type ChartOfAccounts = {
  readonly accounts: Readonly<Record<Account, AccountName>>;
  /** The full name of the Xero tax rate that stands on every line: the tax is booked as an amount of its own, so it must add none. */
  readonly taxRate: string;
};

/** Until the accountant names them otherwise. */
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
