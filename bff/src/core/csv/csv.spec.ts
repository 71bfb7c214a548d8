import { expect, test } from 'vitest';
import { textCell } from './csv.ts';

test.each(['=1+1', '+1', '-1', '@SUM(1)', '\t=1', '\r=1', '＝1+1', '＋1', '－1', '＠SUM(1)'])(
  'a spreadsheet shows %j as text',
  (value) => {
    expect(textCell(value).replaceAll('"', '')).toBe(`'${value}`);
  },
);
