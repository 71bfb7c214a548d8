import { type ChildProcess, fork } from 'node:child_process';
import { basename } from 'node:path';
import { fileURLToPath } from 'node:url';
import { TooBusy } from '../limit-concurrency.ts';

export type Work = (input: never) => Promise<unknown>;

export type Task = { readonly number: number; readonly input: unknown };
export type Done = { readonly number: number } & ({ readonly output: unknown } | { readonly error: string });

export type ChildOptions = {
  readonly idleSeconds?: number;
  /** Longer work ends the process, and fails with `TooBusy`. */
  readonly longestSeconds?: number;
};

/**
 * Only the end of a process returns the memory of C libraries and word lists. A crash there spares the server, and the
 * child has no secrets.
 * Input and output are copied, so they must be data. Failed work rejects with an `Error` of the same message.
 * @param module the module with the exported function `work`.
 */
export function runInChild<Run extends Work>(
  module: URL,
  { idleSeconds = 30, longestSeconds = 60 }: ChildOptions = {},
): (input: Parameters<Run>[0]) => ReturnType<Run> {
  let running: Running | undefined;
  let idle: NodeJS.Timeout | undefined;
  const work = async (input: unknown): Promise<unknown> => {
    clearTimeout(idle);
    if (running === undefined || running.isGone()) running = startChild(module);
    const child = running;
    const late = setTimeout(() => child.end(tooSlow(module, longestSeconds)), longestSeconds * 1000);
    try {
      return await child.run(input);
    } finally {
      clearTimeout(late);
      // The last of several pieces of work decides when the process is idle.
      clearTimeout(idle);
      idle = setTimeout(() => child.endIfIdle(), idleSeconds * 1000).unref();
    }
  };
  return work as (input: Parameters<Run>[0]) => ReturnType<Run>;
}

function tooSlow(module: URL, seconds: number): TooBusy {
  const work = basename(module.pathname);
  const cause = 'this machine has too much work, or too little memory';
  return new TooBusy(`${work} did not finish within ${seconds} seconds: ${cause}.`);
}

type Running = {
  readonly run: (input: unknown) => Promise<unknown>;
  readonly isGone: () => boolean;
  readonly endIfIdle: () => void;
  /** Work that waits for the process fails with this error. */
  readonly end: (why: Error) => void;
};

const main = fileURLToPath(new URL('./child.ts', import.meta.url));

function startChild(module: URL): Running {
  const child = fork(main, [module.href], {
    execArgv: [],
    // No secrets: the child reads files that strangers may have made.
    env: {},
    serialization: 'advanced',
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
  const waiting = new Map<number, PromiseWithResolvers<unknown>>();
  let tasks = 0;
  let gone = false;
  const fail = (why: Error) => {
    gone = true;
    for (const each of waiting.values()) each.reject(why);
    waiting.clear();
  };
  child.on('message', (done: Done) => {
    const asked = waiting.get(done.number);
    waiting.delete(done.number);
    if ('error' in done) asked?.reject(new Error(done.error));
    else asked?.resolve(done.output);
    if (waiting.size === 0) release(child);
  });
  child.on('error', () => fail(new Error('A child process could not be started.')));
  child.once('exit', (code, signal) =>
    fail(new Error(`A child process ended in the middle of its work, with ${signal ?? `exit code ${code}`}.`)),
  );
  const end = (why: Error) => {
    fail(why);
    child.kill('SIGKILL');
  };
  return {
    run: (input) => {
      tasks += 1;
      const answer = Promise.withResolvers<unknown>();
      waiting.set(tasks, answer);
      hold(child);
      // A child that is gone has the event `exit`, which rejects.
      child.send({ number: tasks, input } satisfies Task, () => undefined);
      return answer.promise;
    },
    isGone: () => gone || !child.connected,
    endIfIdle: () => {
      if (waiting.size === 0) end(new Error('A child process was idle.'));
    },
    end,
  };
}

/** A waiting caller keeps this process alive; an idle child does not. */
function hold(child: ChildProcess): void {
  child.ref();
  child.channel?.ref();
}

function release(child: ChildProcess): void {
  child.unref();
  child.channel?.unref();
}
