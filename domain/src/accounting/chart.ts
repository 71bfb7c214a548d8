import type { Cents } from '../money.ts';

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
  'reimbursements',
  'cashAndChecks',
] as const;
export type Account = (typeof accounts)[number];

/** A debit is positive, a credit negative. */
export type Posting = { readonly account: Account; readonly amount: Cents };

export type AccountName = {
  /** Exactly as in QuickBooks; a sub-account is `Parent:Sub`. */
  readonly name: string;
  /** The code in Xero. */
  readonly code: string;
};

export type ChartOfAccounts = {
  readonly accounts: Readonly<Record<Account, AccountName>>;
  /** The full name of Xero's tax rate of every line. It must add no tax: tax has its own line. */
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
    reimbursements: { name: 'Customer Reimbursements', code: '2910' },
    cashAndChecks: { name: 'Cash and Checks', code: '1020' },
  },
  taxRate: 'Tax Exempt',
};

export const chartLimits = { longestName: 100, longestCode: 10, longestTaxRate: 50 } as const;

/** Why an import refuses a name, or posts to the wrong account. */
export type NameFault =
  /** QuickBooks allows no quotation mark. */
  | 'QuotationMark'
  /** `Sales:` or `Sales::Rugs`. */
  | 'EmptyPart'
  /** QuickBooks allows an account and four levels below it. */
  | 'TooManyParts'
  /** The exports escape such text, so the program would not find the account. */
  | 'Formula'
  | 'Space'
  /** Only payouts belong on the bank account. */
  | 'SameAsBank';

const mostParts = 5;
/** As in the CSV files; the last four are full-width. */
const formula = /^[=+\-@＝＋－＠]/;

export function isFormula(text: string): boolean {
  return formula.test(text);
}

/** The first fault of each name and code. */
export function faultsOf(
  names: ChartOfAccounts['accounts'],
): readonly { readonly account: Account; readonly part: keyof AccountName; readonly fault: NameFault }[] {
  return accounts.flatMap((account) => {
    const { name, code } = names[account];
    const isOfBank = (part: keyof AccountName) =>
      account !== 'bank' && names[account][part].toLowerCase() === names.bank[part].toLowerCase();
    const found = [
      { part: 'name', fault: faultOfName(name) ?? (isOfBank('name') ? 'SameAsBank' : undefined) },
      { part: 'code', fault: faultOfCode(code) ?? (isOfBank('code') ? 'SameAsBank' : undefined) },
    ] as const;
    return found.flatMap(({ part, fault }) => (fault === undefined ? [] : [{ account, part, fault }]));
  });
}

function faultOfName(name: string): NameFault | undefined {
  const parts = name.split(':');
  if (name.includes('"')) return 'QuotationMark';
  if (parts.some((part) => part.trim() === '')) return 'EmptyPart';
  if (parts.length > mostParts) return 'TooManyParts';
  return isFormula(name) ? 'Formula' : undefined;
}

function faultOfCode(code: string): NameFault | undefined {
  if (/\s/.test(code)) return 'Space';
  return isFormula(code) ? 'Formula' : undefined;
}
