/**
 * The parts of the checkout that nobody sees at first: one chunk, fetched when the first of them is
 * wanted.
 */
export { OwnTerms } from './own-terms.tsx';
export { Policy } from './policy.tsx';
export { PriceChangesTable } from './price-changes-table.tsx';
export { Wallets } from './wallets-panel.tsx';
