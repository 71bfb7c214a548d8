export const exportTexts = {
  title: 'Accounting',
  heading: 'Exports',
  note: (timeZone: string) => `Days are those of the business (${timeZone}).`,
  range: 'Days to export',
  loading: 'Counting what these days contain...',
  loadFailed: 'What these days contain could not be counted',
  nothing: 'Nothing happened in these days.',
  contents: (from: string, to: string) => `${from} to ${to}`,
  orders: 'Orders paid',
  takings: 'Paid by card',
  paidInShop: 'Paid in the shop',
  cardRefunds: (count: number) => `Card refunds (${count.toLocaleString('en-US')})`,
  reimbursements: (count: number) => `Reimbursements outside Square (${count.toLocaleString('en-US')})`,
  fees: 'Processing fees',
  disputes: 'Disputed',
  unidentified: 'Unidentified receipts',
  changeAtSquare: 'Change of the money at Square, before payouts',
  onlyInPayouts: 'Only in payouts: reserves, other fees, other sales',
  writtenOff: 'Open items written off',
  taxDue: 'Sales tax due',
  debits: 'Sum of the journal, debits or credits',
  late: 'Late facts, posted after their day was closed',
  files: 'Files',
  eventLog: 'Event log',
  file: 'File',
  lines: 'Lines',
  download: 'Download',
  downloadOf: (name: string) => `Download ${name}`,
  tooLong: ({ program, mostLines }: { readonly program: string; readonly mostLines: number }) =>
    `${program} takes at most ${mostLines.toLocaleString('en-US')} lines at a time, so its file comes in parts.`,
  part: (days: string) => `Download ${days}`,
  partOf: (name: string, days: string) => `Download ${name}, ${days}`,
} as const;

export const chartTexts = {
  heading: 'Names of accounts',
  note: 'Exactly as QuickBooks and Xero have them. In new books, import the list of accounts before the first journal. Accounts can share a name, but the bank account is for payouts only. A change holds for open days; closed ones keep their names.',
  lists: {
    'quickbooks-accounts-csv': 'Accounts for QuickBooks',
    'xero-accounts-csv': 'Accounts for Xero',
  },
  show: 'Show and change',
  showProblems: (count: number) => `Show and change (${count} to correct)`,
  problems: (count: number) =>
    count === 1
      ? 'One name cannot be imported. Please correct it.'
      : `${count} names cannot be imported. Please correct them.`,
  account: 'Account',
  name: 'QuickBooks name',
  code: 'Xero code',
  nameOf: (account: string) => `${account}, QuickBooks name`,
  codeOf: (account: string) => `${account}, Xero code`,
  taxRate: 'Xero tax rate',
  taxRateHint: 'The full name of a rate that adds no tax',
  save: 'Save names',
  saved: 'The names are saved',
  failed: 'The names could not be saved',
} as const;

export const passwordTitle = 'Your password, please';
