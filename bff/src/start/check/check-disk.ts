import { access, constants, stat, statfs } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { codeOf, type Diagnosis } from '../../core/runtime/diagnosis.ts';

const megabyte = 1024 * 1024;
/** PostgreSQL's log may grow to max_wal_size, 1 GB by default, before it is reused. */
const comfortableMegabytes = 1024;
/** A few segments of PostgreSQL's log, 16 MB each. On a full disk no payment can be recorded. */
const leastMegabytes = 128;

/** Whether this process can write below `DATA_DIR`, and whether its disk has room. */
export async function checkDataDir(dataDir: string): Promise<readonly Diagnosis[]> {
  const directory = resolve(dataDir);
  try {
    const existing = await nearestExisting(directory);
    if (!(await stat(existing)).isDirectory()) return [notUsable(`${existing} is a file.`)];
    await access(existing, constants.W_OK | constants.X_OK);
    const { bavail, bsize } = await statfs(existing);
    return judgeSpace((bavail * bsize) / megabyte, existing);
  } catch (error) {
    return [notUsable(`${directory} cannot be written to (${codeOf(error)}).`)];
  }
}

function notUsable(problem: string): Diagnosis {
  const remedy = 'Set it to a directory that this user may write to.';
  return { level: 'error', variable: 'DATA_DIR', problem, remedy };
}

/** The first start creates the rest. */
async function nearestExisting(path: string): Promise<string> {
  try {
    await stat(path);
    return path;
  } catch (error) {
    if (codeOf(error) !== 'ENOENT') throw error;
    return await nearestExisting(dirname(path));
  }
}

/** @param megabytes free for this user. */
export function judgeSpace(megabytes: number, directory: string): readonly Diagnosis[] {
  if (megabytes >= comfortableMegabytes) return [];
  return [
    {
      level: megabytes < leastMegabytes ? 'error' : 'warning',
      variable: 'DATA_DIR',
      problem: `the disk of ${directory} has ${Math.floor(megabytes)} MB left.`,
      remedy: `Free some space, or move the directory to a disk with ${comfortableMegabytes} MB or more.`,
    },
  ];
}

/** @returns the free share of the fullest disk of this machine that the server or its database may need. */
export async function freeDisk(dataDir: string): Promise<number> {
  const folders = ['.', await nearestExisting(resolve(dataDir))];
  return Math.min(...(await Promise.all(folders.map(freeShare))));
}

/** As `df` counts, for users without special rights. */
async function freeShare(folder: string): Promise<number> {
  const { blocks, bfree, bavail } = await statfs(folder);
  return bavail / (blocks - bfree + bavail);
}
