import { chartLimits, faultsOf, isFormula, type NameFault } from '@kilim/domain/accounting/chart';
import { reopenReasons } from '@kilim/domain/accounting/closings';
import { parseDay } from '@kilim/domain/day';
import * as z from 'zod/mini';
import { byAccount } from './books.ts';
import { tokenDays } from './exports.ts';
import { id } from './ids.ts';
import { name } from './text.ts';

export const closingRequest = z.object({ through: id(parseDay, 'Please give a day like 2026-10-31') });

export const reopeningRequest = z.object({
  closing: z.int(),
  reason: z.enum(reopenReasons, `Please give ${reopenReasons.join(', ')}`),
});

const accountRequest = z.object({
  name: name(chartLimits.longestName, 'Please enter the name that QuickBooks knows'),
  code: name(chartLimits.longestCode, 'Please enter the code that Xero knows'),
});

const faultTexts = {
  QuotationMark: 'QuickBooks has no names with quotation marks',
  EmptyPart: 'Please enter a name on both sides of each colon',
  TooManyParts: 'QuickBooks has at most five levels of accounts',
  Formula: 'Please do not begin with =, +, - or @: a spreadsheet would run a formula',
  Space: 'A code has no spaces',
  SameAsBank: 'The bank account is for payouts only. Please choose another account',
} satisfies Record<NameFault, string>;

/** The names that the imports of QuickBooks Online and Xero accept. */
export const chartRequest = z.object({
  version: z.int(),
  accounts: byAccount(accountRequest).check(({ value: accounts, issues }) => {
    for (const { account, part, fault } of faultsOf(accounts)) {
      issues.push({
        code: 'custom',
        input: accounts[account][part],
        path: [account, part],
        message: faultTexts[fault],
      });
    }
  }),
  taxRate: name(chartLimits.longestTaxRate, 'Please enter the tax rate that Xero knows').check(
    z.refine((rate) => !isFormula(rate), faultTexts.Formula),
  ),
});

const daysOfToken = `Please give ${tokenDays.least} to ${tokenDays.most} days`;

export const exportTokenRequest = z.object({
  name: name(100, 'Please enter a name'),
  validDays: z._default(
    z.int(daysOfToken).check(z.gte(tokenDays.least, daysOfToken), z.lte(tokenDays.most, daysOfToken)),
    tokenDays.usual,
  ),
});
