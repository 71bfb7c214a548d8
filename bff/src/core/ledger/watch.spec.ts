import { expect, test } from 'vitest';
import { createWatch, type Watched } from './watch.ts';

function watching() {
  let clockMs = 0;
  const watch = createWatch(() => clockMs);
  return (afterMs: number, items: readonly Watched[]) => {
    clockMs += afterMs;
    return watch.due(items).map(({ key }) => key);
  };
}

const item = (mark: string, waitSeconds = 2): Watched => ({ key: 'a', mark, waitSeconds });

test('an item without a wait is due at the first look', () => {
  expect(watching()(0, [item('0/0', 0)])).toEqual(['a']);
});

test('an item is due when its mark has stayed the same for its wait', () => {
  const look = watching();
  expect([look(0, [item('0/0')]), look(1000, [item('0/0')]), look(1000, [item('0/0')])]).toEqual([[], [], ['a']]);
});

test('a sign of life restarts the wait', () => {
  const look = watching();
  look(0, [item('0/0')]);
  look(1500, [item('0/0')]);
  expect(look(1000, [item('0/1')])).toEqual([]);
  expect(look(1500, [item('0/1')])).toEqual([]);
  expect(look(1500, [item('0/1')])).toEqual(['a']);
});

test('time without a look does not count', () => {
  const look = watching();
  look(0, [item('0/0')]);
  expect(look(60_000, [item('0/0')])).toEqual([]);
  expect(look(500, [item('0/0')])).toEqual(['a']);
});

test('an item that was absent at one look is watched from the beginning', () => {
  const look = watching();
  look(0, [item('0/0')]);
  look(1500, []);
  look(1500, [item('0/0')]);
  expect(look(1500, [item('0/0')])).toEqual([]);
});
