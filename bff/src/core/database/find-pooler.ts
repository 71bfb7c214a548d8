import { withinMs } from '../runtime/deadline.ts';
import { sentenceOf } from '../runtime/diagnosis.ts';
import { type ConnectOptions, connect, firstAnswerMs } from './database.ts';
import { judgeAddress, poolerOf, throughPooler } from './database-address.ts';
import { type DatabasePlace, explainDatabaseError } from './explain-database-error.ts';
import { whenConnected } from './repeat-while-away.ts';
import { readSession } from './session.ts';

/**
 * @returns the place with the address for `connect`.
 * @throws Error with a sentence when no session can be opened.
 */
export async function findPooler(
  place: DatabasePlace,
  limits: Pick<ConnectOptions, 'connectTimeoutSeconds'> = {},
): Promise<DatabasePlace> {
  const { variable, url } = place;
  const [problem] = judgeAddress(url).refused;
  if (problem !== undefined) throw new Error(`${variable} ${problem}.`);
  if (variable === 'DATA_DIR' || poolerOf(url) !== undefined) return place;
  // Without the parameters that a pooler may refuse, and with a prepared statement.
  const sql = connect({ url: throughPooler(url, 'prepared'), max: 1, applicationName: 'kilim start', ...limits });
  try {
    const { isPooled, keepsStatementName } = await whenConnected(() => withinMs(firstAnswerMs(url), readSession(sql)));
    if (!isPooled) return place;
    return { variable, url: throughPooler(url, keepsStatementName ? 'unprepared' : 'prepared') };
  } catch (error) {
    throw new Error(sentenceOf(explainDatabaseError(error, place)), { cause: error });
  } finally {
    await sql.end({ timeout: 1 });
  }
}

/** @returns the place as it is when no session can be opened: a later check says why. */
export async function findPoolerIfReachable(place: DatabasePlace): Promise<DatabasePlace> {
  return await findPooler(place).catch(() => place);
}

/**
 * For commands that need one session for a long time.
 * @throws Error with a sentence when a connection pooler answers at the address, or nothing does.
 */
export async function refusePooler(place: DatabasePlace): Promise<void> {
  if (poolerOf((await findPooler(place)).url) === undefined) return;
  throw new Error(
    `${place.variable}: a connection pooler answers at this address, and this command needs a session of its own for minutes. ` +
      "Set MIGRATION_DATABASE_URL to the owner's login at the database's own address.",
  );
}
