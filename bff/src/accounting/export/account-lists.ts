import { chartOn } from '@kilim/domain/accounting/books';
import { type Account, accounts } from '@kilim/domain/accounting/chart';
import { csvLine, textCell } from '../../core/csv/csv.ts';
import type { Scope } from './scope.ts';

// The accounts to import before the first journal, because both programs refuse lines of accounts that they do not have.

type AccountType = {
  /** Type and detail type. */
  readonly quickbooks: readonly [string, string];
  readonly xero: string;
};

const currentAsset: AccountType = {
  quickbooks: ['Other Current Assets', 'Other Current Assets'],
  xero: 'Current Asset',
};
/** Never accounts payable: QuickBooks asks for a vendor in each line of such an account. */
const liability: AccountType = {
  quickbooks: ['Other Current Liabilities', 'Other Current Liabilities'],
  xero: 'Current Liability',
};
const serviceIncome: AccountType = { quickbooks: ['Income', 'Service/Fee Income'], xero: 'Revenue' };
const bankCharges: AccountType = { quickbooks: ['Expenses', 'Bank Charges'], xero: 'Expense' };

const accountTypes = {
  clearing: currentAsset,
  premiumRevenue: serviceIncome,
  midrangeRevenue: serviceIncome,
  economyRevenue: serviceIncome,
  addOnRevenue: { quickbooks: ['Income', 'Sales of Product Income'], xero: 'Revenue' },
  deliveryRevenue: serviceIncome,
  salesTaxPayable: { quickbooks: ['Other Current Liabilities', 'Sales Tax Payable'], xero: 'Current Liability' },
  refunds: { quickbooks: ['Income', 'Discounts/Refunds Given'], xero: 'Revenue' },
  processingFees: bankCharges,
  disputes: { quickbooks: ['Expenses', 'Bad Debts'], xero: 'Expense' },
  unidentifiedReceipts: liability,
  bank: { quickbooks: ['Bank', 'Checking'], xero: 'Bank' },
  otherSales: serviceIncome,
  squareFees: bankCharges,
  squareReserve: currentAsset,
  squareAdjustments: { quickbooks: ['Expenses', 'Other Miscellaneous Service Cost'], xero: 'Expense' },
  reimbursements: liability,
  cashAndChecks: { quickbooks: ['Other Current Assets', 'Undeposited Funds'], xero: 'Current Asset' },
} satisfies Record<Account, AccountType>;

/** Without numbers, because the journal's lines name their accounts. A parent comes before its sub-accounts. */
export function* quickbooksAccounts({ to, books }: Pick<Scope, 'to' | 'books'>): Generator<string, void> {
  const { accounts: names } = chartOn(to, books);
  yield csvLine(['Account Name', 'Type', 'Detail Type']);
  const listed = new Set<string>();
  for (const account of accounts) {
    const parts = names[account].name.split(':');
    for (const [index] of parts.entries()) {
      const name = parts.slice(0, index + 1).join(':');
      // Accounts may share a name, and QuickBooks does not distinguish capitals.
      if (listed.has(name.toLowerCase())) continue;
      listed.add(name.toLowerCase());
      yield csvLine([name, ...accountTypes[account].quickbooks].map(textCell));
    }
  }
}

/** Xero finds accounts by their codes. Its names must differ. */
export function* xeroAccounts({ to, books }: Pick<Scope, 'to' | 'books'>): Generator<string, void> {
  const { accounts: named, taxRate } = chartOn(to, books);
  yield csvLine([
    ...['*Code', '*Name', '*Type', '*Tax Code', 'Description', 'Dashboard', 'Expense Claims', 'Enable Payments'],
  ]);
  const [codes, names] = [new Set<string>(), new Set<string>()];
  for (const account of accounts) {
    const { code, name } = named[account];
    if (codes.has(code.toLowerCase())) continue;
    codes.add(code.toLowerCase());
    const own = names.has(name.toLowerCase()) ? `${name} ${code}` : name;
    names.add(own.toLowerCase());
    yield csvLine([
      ...[code, own, accountTypes[account].xero, withPercent(taxRate)].map(textCell),
      ...['', '', '', ''],
    ]);
  }
}

/** This import names a rate with its percent, unlike the one of manual journals. The rate adds no tax. */
function withPercent(taxRate: string): string {
  return taxRate.endsWith('%)') ? taxRate : `${taxRate} (0%)`;
}
