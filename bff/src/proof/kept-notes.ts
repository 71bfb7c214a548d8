import { mkdir, readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Sql } from '../core/database/database.ts';
import { type Checkpoint, readCheckpoint } from './checkpoint.ts';
import { readNote } from './checkpoint-note.ts';
import { findNotes } from './find-notes.ts';
import { type NoteVerifier, openNote, textOf, verifierText } from './signed-note.ts';

// A checkpoint includes the one before, so a kept note proves everything before it, even against people with all
// database rights and the key.

export type KeptNoteFault = {
  readonly code: /** The ledger has no such checkpoint any more. */
    | 'KeptCheckpointMissing'
    | 'KeptCheckpointDiffers'
    /** The kept file was changed, or belongs to another ledger. */
    | 'KeptNoteForged';
  readonly sequence: number;
  readonly file: string;
};

/**
 * The directory is write-once, and gets the key that checks the note.
 * @returns the note's file.
 */
export async function keepNote(directory: string, checkpoint: Checkpoint, verifier: NoteVerifier): Promise<string> {
  await mkdir(directory, { recursive: true });
  await writeFile(join(directory, 'key.txt'), `${verifierText(verifier)}\n`);
  const file = join(directory, `checkpoint-${String(checkpoint.sequence).padStart(8, '0')}.txt`);
  await writeFile(file, checkpoint.note);
  return file;
}

export type Confirmed = {
  readonly sequence: number;
  /** ISO 8601 instant of the sealing. */
  readonly at: string;
};

export type CheckedNotes = {
  readonly notes: number;
  readonly faults: readonly KeptNoteFault[];
  readonly newest: Confirmed | undefined;
};

/**
 * @param path a file, or a directory that may be empty.
 * @throws Error with a sentence if there is no such path, or no note in the file.
 */
export async function checkKeptNotes(
  sql: Sql,
  path: string,
  verifiers: readonly NoteVerifier[],
): Promise<CheckedNotes> {
  const faults: KeptNoteFault[] = [];
  let notes = 0;
  let newest: Confirmed | undefined;
  const files = await filesAt(path);
  for (const file of files) {
    for (const note of await findNotes(await readFile(file))) {
      const content = readNote(note);
      if (content === undefined) throw new Error(`${file} has a note that is not a checkpoint of a ledger.`);
      const { sequence, sealed } = content;
      notes += 1;
      const code = await faultOf(sql, { sequence, note }, verifiers);
      if (code !== undefined) faults.push({ code, sequence, file });
      else if (sequence > (newest?.sequence ?? 0)) newest = { sequence, at: sealed.at };
    }
  }
  if (notes === 0 && files.includes(path)) throw new Error(`There is no kept checkpoint in ${path}.`);
  return { notes, faults, newest };
}

type KeptNote = { readonly sequence: number; readonly note: string };

async function faultOf(
  sql: Sql,
  { sequence, note }: KeptNote,
  verifiers: readonly NoteVerifier[],
): Promise<KeptNoteFault['code'] | undefined> {
  if (verifiers.length > 0 && openNote(note, verifiers) === undefined) return 'KeptNoteForged';
  const stored = await readCheckpoint(sql, sequence);
  if (stored === undefined) return 'KeptCheckpointMissing';
  return textOf(stored.note) === textOf(note) ? undefined : 'KeptCheckpointDiffers';
}

async function filesAt(path: string): Promise<readonly string[]> {
  const found = await stat(path).catch(() => undefined);
  if (found === undefined) throw new Error(`There is no ${path}.`);
  if (!found.isDirectory()) return [path];
  const entries = await readdir(path, { withFileTypes: true });
  return entries
    .filter((entry) => entry.isFile())
    .map(({ name }) => join(path, name))
    .sort();
}
