/**
 * The parts of the checkout that are not visible at first. They are one chunk, loaded when the
 * first of them is needed.
 */
export { BusinessTerms } from './business-terms.tsx';
export { Policy } from './policy.tsx';
export { PriceChangesTable } from './price-changes-table.tsx';
export { Wallets } from './wallets-panel.tsx';
