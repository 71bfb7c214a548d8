import { withinMs } from '../runtime/deadline.ts';
import { type Diagnosis, sentenceOf } from '../runtime/diagnosis.ts';
import { firstAnswerMs, onlyRow, type Sql } from './database.ts';
import { type DatabasePlace, explainDatabaseError } from './explain-database-error.ts';
import { whenConnected } from './repeat-while-away.ts';

/** The first version that has the function `uuidv7()`. */
const oldestMajorVersion = 18;

/** @throws Error with a sentence for the operator, never with the password. */
export async function requireDatabase(sql: Sql, place: DatabasePlace): Promise<void> {
  const [diagnosis] = await checkDatabase(sql, place);
  if (diagnosis !== undefined) throw new Error(sentenceOf(diagnosis));
}

export async function checkDatabase(sql: Sql, place: DatabasePlace): Promise<readonly Diagnosis[]> {
  try {
    return checkVersion(await whenConnected(() => withinMs(firstAnswerMs(place.url), readVersion(sql))), place);
  } catch (error) {
    return [explainDatabaseError(error, place)];
  }
}

export type ServerVersion = {
  readonly number: number;
  readonly text: string;
};

/** Works with any version of PostgreSQL. */
async function readVersion(sql: Sql): Promise<ServerVersion> {
  return await onlyRow(sql<ServerVersion[]>`
    select current_setting('server_version_num')::int as number, current_setting('server_version') as text`);
}

/** Older versions fail in the first migration, with an error about a function. */
export function checkVersion(
  { number, text }: ServerVersion,
  { variable }: Pick<DatabasePlace, 'variable'>,
): readonly Diagnosis[] {
  if (number >= oldestMajorVersion * 10_000) return [];
  return [
    {
      level: 'error',
      variable,
      problem: `this is PostgreSQL ${text}, and Kilim needs PostgreSQL ${oldestMajorVersion} or newer.`,
      remedy: 'Upgrade the server, or name another one.',
    },
  ];
}
