import { mkdir, readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Sql } from '../../database/database.ts';
import { type Checkpoint, readCheckpoint } from './checkpoint.ts';
import { type NoteVerifier, openNote, textOf, verifierText } from './signed-note.ts';

// Notes that somebody keeps where nobody can reach them who can reach the ledger. A checkpoint speaks of the one before it, so one kept
// note holds everything before it fast, against whoever has all rights in the database and even the key.

/** What a kept note shows. */
export type KeptNoteFault = {
  readonly code: /** The ledger has no such checkpoint any more. */
    | 'KeptCheckpointMissing'
    /** It has another one in its place. */
    | 'KeptCheckpointDiffers'
    /** The kept file itself is not signed by this key: it was changed, or is of another ledger. */
    | 'KeptNoteForged';
  readonly sequence: number;
  readonly file: string;
};

/** Writes the checkpoint's note, and the key to check it with, into a directory that keeps what is there. @returns the note's file. */
export async function keepNote(directory: string, checkpoint: Checkpoint, verifier: NoteVerifier): Promise<string> {
  await mkdir(directory, { recursive: true });
  await writeFile(join(directory, 'key.txt'), `${verifierText(verifier)}\n`);
  const file = join(directory, `checkpoint-${String(checkpoint.sequence).padStart(8, '0')}.txt`);
  await writeFile(file, checkpoint.note);
  return file;
}

export type CheckedNotes = { readonly notes: number; readonly faults: readonly KeptNoteFault[] };

/**
 * Compares kept notes with the ledger's checkpoints. `path` is one note, or a directory of them.
 * @throws Error with a sentence when there is none.
 */
export async function checkKeptNotes(
  sql: Sql,
  path: string,
  verifiers: readonly NoteVerifier[],
): Promise<CheckedNotes> {
  const faults: KeptNoteFault[] = [];
  const files = await noteFiles(path);
  if (files.length === 0) throw new Error(`There is no kept checkpoint in ${path}.`);
  for (const file of files) {
    const note = await readFile(file, 'utf8');
    const sequence = Number(textOf(note).split('\n')[1]);
    if (!Number.isSafeInteger(sequence)) throw new Error(`${file} is not a checkpoint of a ledger.`);
    const code = await faultOf(sql, { sequence, note }, verifiers);
    if (code !== undefined) faults.push({ code, sequence, file });
  }
  return { notes: files.length, faults };
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

async function noteFiles(path: string): Promise<readonly string[]> {
  const found = await stat(path).catch(() => undefined);
  if (found === undefined) throw new Error(`There is no ${path}.`);
  if (!found.isDirectory()) return [path];
  const names = (await readdir(path)).filter((name) => /^checkpoint-\d+\.txt$/.test(name));
  return names.sort().map((name) => join(path, name));
}
