import { closeSync, ftruncateSync, mkdirSync, openSync, readFileSync, writeSync } from 'node:fs';
import { dirname } from 'node:path';
import { apply, type Change, emptyState, type State } from './state.ts';

export type Store = ReturnType<typeof openStore>;

/**
 * In memory and, with a file, in a log of one JSON line per commit, for one process at a time. The next start removes a
 * truncated last line, because that commit was never answered.
 * @throws Error when any other line is unreadable: then the file is not this log.
 */
export function openStore(dataFile: string | undefined) {
  const state = emptyState();
  const log = dataFile === undefined ? undefined : openLog(dataFile, state);
  const listeners: ((changes: readonly Change[]) => void)[] = [];
  let closed = false;
  return {
    state,
    /** All or none, on disk before any listener runs. */
    commit: (changes: readonly Change[]) => {
      // The file descriptor's number may belong to another file now.
      if (closed) throw new Error('The local Square is closed.');
      if (log !== undefined) appendLine(log, changes);
      for (const change of changes) apply(state, change);
      for (const listener of listeners) listener(changes);
    },
    onCommit: (listener: (changes: readonly Change[]) => void) => void listeners.push(listener),
    reset: () => {
      if (log !== undefined) ftruncateSync(log);
      for (const collection of Object.values(state)) collection.clear();
    },
    close: () => {
      closed = true;
      if (log !== undefined) closeSync(log);
    },
  };
}

function openLog(dataFile: string, state: State): number {
  mkdirSync(dirname(dataFile), { recursive: true });
  const log = openSync(dataFile, 'a+');
  const text = readFileSync(dataFile);
  const end = text.lastIndexOf('\n') + 1;
  if (end < text.length) ftruncateSync(log, end);
  for (const [index, line] of text.toString('utf8', 0, end).split('\n').entries()) {
    if (line !== '') for (const change of readLine(line, `${dataFile}:${index + 1}`)) apply(state, change);
  }
  return log;
}

function readLine(line: string, place: string): readonly Change[] {
  try {
    return JSON.parse(line) as Change[];
  } catch {
    throw new Error(`The local Square cannot read its state at ${place}. Delete the file to start afresh.`);
  }
}

/** Synchronous, so that no other request runs between the decision and the write. */
function appendLine(log: number, changes: readonly Change[]): void {
  const line = Buffer.from(`${JSON.stringify(changes)}\n`);
  for (let written = 0; written < line.length; ) written += writeSync(log, line, written);
}
