import { expect, test } from 'vitest';
import { placeServerErrors } from './form-problems.ts';

test('a server message appears at the field that its path names', () => {
  const placed = placeServerErrors({
    'rugs.0.widthFeet': 'Too wide',
    'rugs.2.lengthInches': 'At most 11',
    'customerInfo.email': 'No such mailbox',
  });
  expect([...placed.rugs]).toEqual([
    [0, { widthFeet: 'Too wide' }],
    [2, { lengthInches: 'At most 11' }],
  ]);
  expect(placed.contact).toEqual({ email: 'No such mailbox' });
});

test('a message about a side or a whole rug appears at its first field', () => {
  const placed = placeServerErrors({ 'rugs.0.length': 'Too long', 'rugs.1': 'Too small', 'rugs.3.width': 'Too wide' });
  expect([...placed.rugs]).toEqual([
    [0, { lengthFeet: 'Too long' }],
    [1, { widthFeet: 'Too small' }],
    [3, { widthFeet: 'Too wide' }],
  ]);
});

test('a path that names no field is ignored', () => {
  const placed = placeServerErrors({
    deliveryOption: 'Unknown',
    'customerInfo.age': 'Why',
    'rugs.__proto__.x': '?',
    '': '',
  });
  expect(placed.rugs.size).toBe(0);
  expect(placed.contact).toEqual({});
});
