import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { paymentTable } from '../testing/payment-table.ts';
import { disputeTable, refundTable } from '../testing/refund-tables.ts';
import type { StateTable } from '../testing/state-table.ts';
import type { OrderEvent } from './events.ts';

const tables: readonly StateTable[] = [paymentTable, refundTable, disputeTable];

describe.each(tables)('$title', (table) => {
  const { names, rows, effects, written, histories, next, waiting, ends } = table;
  const historyOf = (name: string) => histories[name] ?? expect.fail(name);

  test('is in each state after the history of that state', () => {
    expect(names.map((name) => table.stateAfter(historyOf(name)))).toEqual(names);
  });

  test.each(rows)('each state answers as the table says: $name', ({ cells, answers }) => {
    const found = names.map((name) => [...new Set(answers(historyOf(name)).map(({ cell }) => cell))].join(' or '));
    expect(found).toEqual(cells);
  });

  test.each(effects)('each state takes the event as the table says: $name', ({ cells, effect }) => {
    expect(names.map((name) => effect(historyOf(name)))).toEqual(cells);
  });

  test('has a row for each command, and none without an effect', () => {
    const known = [...rows, ...effects].map(({ name }) => name);
    expect([...written.keys()].filter((name) => !known.includes(name))).toEqual([]);
  });

  test('no state answers every command like another one', () => {
    const columns = names.map((_, index) => rows.map(({ cells }) => cells[index]).join());
    expect(new Set(columns).size).toBe(names.length);
  });

  test('every state can be reached by commands, or begins the table', () => {
    const reached = new Set(table.entries);
    for (const name of reached) for (const target of next(name)) reached.add(target);
    expect([...reached].toSorted()).toEqual(names.toSorted());
  });

  test('a wait for Square, a bank or the office can end with one command', () => {
    for (const name of waiting) expect(next(name).filter((target) => !waiting.includes(target))).not.toEqual([]);
  });

  test('no command leaves an end, and every other state leads to one', () => {
    expect(ends.flatMap(next)).toEqual([]);
    for (const name of names.filter((each) => !table.entries.includes(each) && !ends.includes(each))) {
      const reached = new Set([name]);
      for (const each of reached) for (const target of next(each)) reached.add(target);
      expect(ends.filter((end) => reached.has(end))).not.toEqual([]);
    }
  });

  test('a state answers as the table says after any earlier commands', () => {
    const plain = rows.filter(({ isPlain }) => isPlain);
    const start = fc.constantFrom(...table.entries);
    const steps = fc.array(fc.record({ row: fc.constantFrom(...plain), which: fc.nat() }), { maxLength: 15 });
    fc.assert(
      fc.property(start, steps, (entry, walk) => {
        let state = entry;
        let history: readonly OrderEvent[] = historyOf(entry);
        for (const { row, which } of walk) {
          const answers = row.answers(history);
          const { cell, recorded } = answers[which % answers.length] ?? expect.fail(row.name);
          expect([state, row.name, cell]).toEqual([state, row.name, row.cells[names.indexOf(state)]]);
          if (names.includes(cell)) state = cell;
          history = [...history, ...recorded];
        }
      }),
      { numRuns: 500 },
    );
  });
});
