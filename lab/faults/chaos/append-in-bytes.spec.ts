import { expect, test } from 'vitest';
import { holdsAppend } from './append-in-bytes.ts';

function message(type: string, body: Buffer): Buffer {
  const length = Buffer.alloc(4);
  length.writeInt32BE(body.length + 4);
  return Buffer.concat([Buffer.from(type), length, body]);
}

function bind(...parameters: readonly (string | null)[]): Buffer {
  const int16 = (value: number) => Buffer.from([value >> 8, value & 255]);
  const texts = parameters.map((text) => {
    const length = Buffer.alloc(4);
    length.writeInt32BE(text === null ? -1 : Buffer.byteLength(text));
    return Buffer.concat([length, Buffer.from(text ?? '')]);
  });
  return message('B', Buffer.concat([Buffer.from('\0statement7\0'), int16(0), int16(parameters.length), ...texts]));
}

const execute = message('E', Buffer.from('\0\0\0\0\0'));

test.each([
  ['is the only event', true, bind('an id', null, 'PaymentStarted', '{}')],
  ['is the last event', true, bind('OrderPlaced\nPaymentStarted')],
  ['is not the last event', false, bind('PaymentStarted\nPaymentAuthorized')],
  ['is a part of another text', false, bind('{"type":"PaymentStarted"}')],
  ['is in a message that follows another message', true, Buffer.concat([execute, bind('PaymentStarted'), execute])],
  ['is in a message that is cut off', false, bind('PaymentStarted').subarray(0, -1)],
  ['is in the text of a statement', false, message('P', Buffer.from('\0PaymentStarted\0\0\0'))],
])('an append whose event %s is found: %s', (_, isHeld, bytes) => {
  expect(holdsAppend(bytes, 'PaymentStarted')).toBe(isHeld);
});
