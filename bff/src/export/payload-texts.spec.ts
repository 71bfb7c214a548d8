import fc from 'fast-check';
import { expect, test } from 'vitest';
import { textOf } from '../database/copy/bytes.ts';
import { createPayloadTexts } from './payload-texts.ts';

const groups = [['paymentId'], ['squareRefundId', 'squareId'], ['reason', 'code', 'outcome'], ['outcome']];
const texts = createPayloadTexts(groups, 'wasPaid');

function found(payload: string) {
  const before = Buffer.from('{"reason":"another"}');
  const buffer = Buffer.concat([before, Buffer.from(payload), Buffer.from('"code":"another"}')]);
  texts.read({ buffer, at: before.length, end: before.length + Buffer.byteLength(payload) });
  const said = groups.map((_, group) => texts.find(group)).map((text) => (text === undefined ? '' : textOf(text)));
  return { said, wasPaid: texts.isFlagged() };
}

function parsed(payload: string) {
  const fields = JSON.parse(payload) as Readonly<Record<string, unknown>>;
  const isSaid = (value: unknown): value is string => typeof value === 'string' && value !== '';
  const said = groups.map((group) => group.map((name) => fields[name]).find(isSaid) ?? '');
  return { said, wasPaid: fields['wasPaid'] === true };
}

test('the first name of a group with a text counts', () => {
  expect(found('{"code":"C","outcome":"won","squareId":"S"}')).toEqual({ said: ['', 'S', 'C', 'won'], wasPaid: false });
  expect(found('{"squareId":"S","squareRefundId":"R","wasPaid":true}')).toEqual({
    said: ['', 'R', '', ''],
    wasPaid: true,
  });
  expect(found('{"squareId":"S","squareRefundId":""}').said[1]).toBe('S');
  expect(found('{"code":12,"outcome":null,"wasPaid":"true"}')).toEqual({ said: ['', '', '', ''], wasPaid: false });
});

test('the last of two members with the same name counts', () => {
  expect(found('{"reason":"a","reason":"b"}').said[2]).toBe('b');
  expect(found('{"code":"c","reason":"a","reason":1}').said[2]).toBe('c');
});

test('an empty payload has no texts', () => {
  found('{"reason":"a","wasPaid":true}');
  expect(found('')).toEqual({ said: ['', '', '', ''], wasPaid: false });
});

test('finds what parsing the payload finds, for any payload', () => {
  const name = fc.oneof(fc.constantFrom(...groups.flat(), 'wasPaid', 'note'), fc.string());
  const value = fc.oneof(fc.string(), fc.string({ unit: 'binary' }), fc.boolean(), fc.jsonValue());
  fc.assert(
    fc.property(fc.dictionary(name, value), fc.constantFrom(undefined, 1), (fields, space) => {
      const payload = JSON.stringify(fields, undefined, space);
      expect(found(payload)).toEqual(parsed(payload));
    }),
  );
});
