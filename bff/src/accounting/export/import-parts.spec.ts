import type { DayEntry } from '@kilim/domain/accounting/booking';
import { type Account, accounts } from '@kilim/domain/accounting/chart';
import { type Day, dayAfter, daysBetween } from '@kilim/domain/day';
import { cents } from '@kilim/domain/money';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { importLimits } from '../../../contract/exports.ts';
import { partsOf } from './import-parts.ts';

function entryOf(postedOn: Day, lines: number): DayEntry {
  const balances = new Map<Account, ReturnType<typeof cents>>(
    accounts.slice(0, lines).map((account) => [account, cents(100)]),
  );
  return { postedOn, day: postedOn, balances };
}

const year = daysBetween('2026-01-01' as Day, '2026-12-31' as Day);

test.each(['quickbooks-csv', 'xero-csv'] as const)(
  'the parts of a %s keep its limit, cut no day, and leave out none',
  (format) => {
    const days = fc.array(fc.tuple(fc.nat(year.length - 1), fc.integer({ min: 1, max: accounts.length })), {
      maxLength: 1500,
    });
    fc.assert(
      fc.property(days, (chosen) => {
        const entries = chosen.map(([place, lines]) => entryOf(year[place] ?? year[0] ?? ('2026-01-01' as Day), lines));
        const range = { from: '2026-01-01' as Day, to: '2026-12-31' as Day };
        const parts = partsOf(entries, range, format);
        expect([parts[0]?.from, parts.at(-1)?.to]).toEqual([range.from, range.to]);
        for (const [place, part] of parts.slice(1).entries())
          expect(part.from).toBe(dayAfter(parts[place]?.to ?? part.from));
        for (const { from, to } of parts) {
          const inside = entries.filter(({ postedOn }) => postedOn >= from && postedOn <= to);
          const lines = inside.reduce((sum, { balances }) => sum + balances.size, 0);
          const isOneDay = new Set(inside.map(({ postedOn }) => postedOn)).size <= 1;
          expect(isOneDay || lines <= importLimits[format].mostLines).toBe(true);
        }
      }),
      { numRuns: 50 },
    );
  },
);
