import { randomUUID } from 'node:crypto';
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

/**
 * In files outside of the database, whose owner could remove checkpoints and change events, and the next seal would
 * cover the change.
 */
export type SealMemory = {
  /** Undefined before the first note. */
  readonly read: (database: string) => Promise<string | undefined>;
  /** @returns false if the note will be forgotten when this process ends. */
  readonly write: (database: string, note: string) => Promise<boolean>;
  /** Lets another history of the ledger be sealed. */
  readonly setAside: (database: string) => Promise<void>;
  readonly fileOf: (database: string) => string;
};

/** Each machine has its own memory. */
export function openSealMemory(dataDir: string): SealMemory {
  const directory = join(dataDir, 'sealed');
  const fileOf = (database: string) => join(directory, `${encodeURIComponent(database)}.txt`);
  const unwritten = new Map<string, string>();
  return {
    fileOf,
    read: async (database) => unwritten.get(database) ?? (await readIfPresent(fileOf(database))),
    write: async (database, note) => {
      try {
        await mkdir(directory, { recursive: true });
        const whole = `${fileOf(database)}.${randomUUID()}`;
        await writeFile(whole, note, { flush: true });
        await rename(whole, fileOf(database));
        unwritten.delete(database);
        return true;
      } catch (error) {
        if (!isFileError(error)) throw error;
        // A full disk or a read-only container must not leave new events unsealed.
        unwritten.set(database, note);
        return false;
      }
    },
    setAside: async (database) => {
      unwritten.delete(database);
      const moment = new Date().toISOString().replaceAll(/[:.]/g, '-');
      await rename(fileOf(database), `${fileOf(database)}.before-${moment}`).catch(ignoreAbsence);
    },
  };
}

async function readIfPresent(file: string): Promise<string | undefined> {
  return await readFile(file, 'utf8').catch(ignoreAbsence);
}

function isFileError(error: unknown): error is NodeJS.ErrnoException {
  return error instanceof Error && 'code' in error;
}

function ignoreAbsence(error: NodeJS.ErrnoException): undefined {
  if (error.code !== 'ENOENT' && error.code !== 'ENOTDIR') throw error;
}
