import fc from 'fast-check';
import { expect, test } from 'vitest';
import { eachPlainMember } from './plain-json.ts';

/**
 * The parsed members of an object between other bytes, as in a row; undefined if it is not plain.
 */
function membersOf(json: string): readonly (readonly [name: string, value: unknown])[] | undefined {
  const before = Buffer.from('{"before":"');
  const buffer = Buffer.concat([before, Buffer.from(json), Buffer.from('","after":1}')]);
  const members: [string, unknown][] = [];
  const bytes = { buffer, at: before.length, end: before.length + Buffer.byteLength(json) };
  const isPlain = eachPlainMember(bytes, (from, { nameAt, nameEnd, valueAt, valueEnd }) => {
    members.push([from.toString('utf8', nameAt, nameEnd), JSON.parse(from.toString('utf8', valueAt, valueEnd))]);
  });
  return isPlain ? members : undefined;
}

test.each([
  ['{}', []],
  ['{"a":1}', [['a', 1]]],
  [
    '{"a":"x,}","b":{"c":[1,{"d":"]"}]},"a":null}',
    [
      ['a', 'x,}'],
      ['b', { c: [1, { d: ']' }] }],
      ['a', null],
    ],
  ],
  ['{"毯":"ü"}', [['毯', 'ü']]],
])('%s has the members that it has', (json, members) => {
  expect(membersOf(json)).toEqual(members);
});

test.each(['{"a": 1}', '{ }', '{"a":1 }', '{"a":"\\n"}', '{"\\u0061":1}', '{"a":["\\""]}', '[1]', '"a"', 'null', '12'])(
  '%s is not plain',
  (json) => {
    expect(membersOf(json)).toBeUndefined();
  },
);

test('finds all members of any object in order, or reports that it is not plain', () => {
  fc.assert(
    fc.property(fc.dictionary(fc.string(), fc.jsonValue()), fc.constantFrom(undefined, 1), (fields, space) => {
      const json = JSON.stringify(fields, undefined, space);
      const members = membersOf(json);
      if (members === undefined) expect(json).toMatch(/[\\\s]/);
      else expect(members).toEqual(Object.entries(JSON.parse(json) as object));
    }),
  );
});
