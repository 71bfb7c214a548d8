import { chartLimits } from '@kilim/domain/accounting/chart';
import { parseDay } from '@kilim/domain/accounting/day';
import * as z from 'zod/mini';
import { byAccount } from './books.ts';
import { day, daysInOrder } from './days.ts';
import { exportFormats, tokenDays } from './exports.ts';
import { id } from './ids.ts';
import { name } from './text.ts';

/** `POST /api/admin/books/close` */
export const closingRequest = z.object({ through: id(parseDay, 'Please give a day like 2026-10-31') });

const accountRequest = z.object({
  name: name(chartLimits.longestName, 'Please enter the name that QuickBooks knows'),
  code: name(chartLimits.longestCode, 'Please enter the code that Xero knows'),
});

/** `POST /api/admin/books/accounts` */
export const chartRequest = z.object({
  /** The version that was edited. */
  version: z.int(),
  accounts: byAccount(accountRequest),
  taxRate: name(chartLimits.longestTaxRate, 'Please enter the tax rate that Xero knows'),
});

const daysOfToken = `Please give ${tokenDays.least} to ${tokenDays.most} days`;

/** `POST /api/admin/export-tokens`: `formats` are the exports that the token opens, `from` and `to` its days. */
export const exportTokenRequest = z
  .object({
    name: name(100, 'Please enter a name'),
    formats: z._default(
      z.array(z.enum(exportFormats, `Please give ${exportFormats.join(', ')}`)).check(
        z.minLength(1, 'Please choose at least one file'),
        z.refine((formats) => new Set(formats).size === formats.length, 'Please give each file once'),
      ),
      [...exportFormats],
    ),
    from: z.optional(day),
    to: z.optional(day),
    validDays: z._default(
      z.int(daysOfToken).check(z.gte(tokenDays.least, daysOfToken), z.lte(tokenDays.most, daysOfToken)),
      tokenDays.usual,
    ),
  })
  .check(daysInOrder);
