import { expect, test } from 'vitest';
import { createTurns } from './turns.ts';

/** Type, length and body. */
function message(type: string, body = ''): Buffer {
  const bytes = Buffer.alloc(5 + body.length);
  bytes.write(type);
  bytes.writeInt32BE(4 + body.length, 1);
  bytes.write(body, 5);
  return bytes;
}

const first = Buffer.concat([message('P', 'select 1'), message('E'), message('S')]);
const parse = Buffer.concat([message('P', 'select $1'), message('D'), message('H')]);
const execute = Buffer.concat([message('B', 'a'), message('E'), message('S')]);
const ready = message('Z', 'I');

function connection() {
  const sent: Buffer[] = [];
  const turns = createTurns((bytes) => sent.push(bytes) > 0);
  return { ...turns, sent: () => Buffer.concat(sent) };
}

test('a statement waits until the server is ready after the one before', () => {
  const { write, received, sent } = connection();
  write(Buffer.concat([first, parse]));
  expect(sent()).toEqual(first);
  received(Buffer.concat([message('1'), message('D', 'row'), ready]));
  expect(sent()).toEqual(Buffer.concat([first, parse]));
});

test('the parts of one statement do not wait for each other', () => {
  const { write, received, sent } = connection();
  write(parse);
  received(message('T', 'columns'));
  write(execute);
  expect(sent()).toEqual(Buffer.concat([parse, execute]));
});

test('a ready server is noticed in pieces of any size, and not inside of a row', () => {
  const { write, received, sent } = connection();
  write(Buffer.concat([first, message('Q', 'begin')]));
  for (const byte of message('D', ready.toString('latin1'))) received(Buffer.from([byte]));
  expect(sent()).toEqual(first);
  for (const byte of ready) received(Buffer.from([byte]));
  expect(sent()).toEqual(Buffer.concat([first, message('Q', 'begin')]));
});

test('the data of a copy do not wait for its end', () => {
  const { write, sent } = connection();
  const copy = [message('Q', 'copy'), message('d', 'row'), message('c')];
  for (const bytes of copy) write(bytes);
  expect(sent()).toEqual(Buffer.concat(copy));
});

test('the last part of held bytes tells that they were written', () => {
  const written: unknown[] = [];
  const turns = createTurns((_, done) => written.push(done) > 0);
  const done = () => undefined;
  turns.write(Buffer.concat([first, first]), done);
  turns.received(ready);
  expect(written).toEqual([undefined, done]);
});
