import type { Done, Task, Work } from './run-in-child.ts';

// The child of `runInChild`: runs the function `work` of the module that its argument names.

// A terminal signals every process in it. The server ends its child.
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => undefined);
// The server is gone, even after `kill -9`.
process.once('disconnect', () => process.exit());

const loading = import(process.argv[2] ?? '') as Promise<{ readonly work: Work }>;
process.on('message', (task: Task) => void answer(task));

async function answer({ number, input }: Task): Promise<void> {
  try {
    const { work } = await loading;
    tell({ number, output: await work(input as never) });
  } catch (error) {
    tell({ number, error: error instanceof Error ? error.message : String(error) });
  }
}

function tell(done: Done): void {
  process.send?.(done);
}
