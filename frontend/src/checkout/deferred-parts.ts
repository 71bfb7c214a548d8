/** Not visible at first: one chunk, loaded when one of them is needed. */
export { BusinessTerms } from './business-terms.tsx';
export { Policy } from './policy.tsx';
export { PriceChangesTable } from './price-changes-table.tsx';
export { Wallets } from './wallets-panel.tsx';
