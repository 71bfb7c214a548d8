import { expect, test } from 'vitest';
import { createLineWriter } from './standard-output.ts';

/** The clock advances only while the writer waits. */
function openPipe(room: number) {
  const pipe = { room, text: '', waitedMs: 0 };
  let nowMs = 0;
  const writer = createLineWriter({
    take: (bytes) => {
      if (pipe.room === 0) throw Object.assign(new Error('no room'), { code: 'EAGAIN' });
      const taken = Buffer.from(bytes.subarray(0, pipe.room));
      pipe.room -= taken.length;
      pipe.text += taken.toString();
      return taken.length;
    },
    waitMs: (ms) => {
      pipe.waitedMs += ms;
      nowMs += ms;
    },
    nowMs: () => nowMs,
  });
  return { pipe, write: (line: string) => writer.write(line) };
}

const dropped = (lines: number) =>
  expect.stringMatching(new RegExp(`^{"level":"error","time":"[^"]+","lines":${lines},"msg":"lines were dropped`));

test('each line is written unchanged while the pipe has room', () => {
  const { pipe, write } = openPipe(100);
  write('first\n');
  write('second\n');
  expect(pipe).toMatchObject({ text: 'first\nsecond\n', waitedMs: 0 });
});

test('the writer waits one second in total for a reader that has stopped', () => {
  const { pipe, write } = openPipe(0);
  for (let line = 0; line < 1000; line += 1) write(`${line}\n`);
  expect(pipe.waitedMs).toBe(1000);
});

test('once there is room again, the number of dropped lines is reported first', () => {
  const { pipe, write } = openPipe(0);
  for (let line = 0; line < 5; line += 1) write(`${line}\n`);
  pipe.room = 10_000;
  write('after\n');
  expect(pipe.text.split('\n')).toEqual([dropped(5), 'after', '']);
});

test('a partly written line is finished before anything else', () => {
  const { pipe, write } = openPipe(3);
  write('abcdef\n');
  write('lost\n');
  expect(pipe.text).toBe('abc');
  pipe.room = 10_000;
  write('after\n');
  expect(pipe.text.split('\n')).toEqual(['abcdef', dropped(1), 'after', '']);
});

test('a partly written report of dropped lines is finished, and later dropped lines are reported too', () => {
  const { pipe, write } = openPipe(0);
  write('lost\n');
  pipe.room = 5;
  write('lost too\n');
  pipe.room = 10_000;
  write('after\n');
  expect(pipe.text.split('\n')).toEqual([dropped(1), dropped(1), 'after', '']);
});

test('without a reader nothing is written, and the writer does not wait', () => {
  let waitedMs = 0;
  const writer = createLineWriter({
    take: () => {
      throw Object.assign(new Error('gone'), { code: 'EPIPE' });
    },
    waitMs: (ms) => (waitedMs += ms),
    nowMs: () => 0,
  });
  writer.write('line\n');
  expect(waitedMs).toBe(0);
});
