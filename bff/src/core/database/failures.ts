import postgres from 'postgres';
import { tooLate } from '../runtime/deadline.ts';

/** Whether the last statement was executed is unknown. Repeating the work may help. */
export function isDatabaseAway(error: unknown): boolean {
  if (error instanceof postgres.PostgresError) return endsSession(error) || statesOfAbsence.test(error.code);
  return networkFailures.test(codeOf(error));
}

/**
 * The same request may succeed in a moment, so the answer is 503. The server does not repeat them, which would add to
 * the load that made them fail.
 */
export function isTemporary(error: unknown): boolean {
  if (isDatabaseAway(error)) return true;
  if (error instanceof postgres.PostgresError) return statesOfOverload.test(error.code);
  return codeOf(error) === tooLate || codeOf(error) === tooManyConflicts || forbidsAppends(error);
}

/**
 * A statement names something that the database lacks: its schema is of another release, see `schema-range.ts`. A
 * server of the right release can serve the request.
 */
export function isOfOtherSchema(error: unknown): boolean {
  return error instanceof postgres.PostgresError && statesOfOtherSchema.test(error.code);
}

const statesOfOtherSchema = /^(42883|42P01|42703|42704|3F000)$/;

/**
 * 08 connection exceptions, 40 serialization failures and deadlocks, 53 no memory, disk or connections left, 55000 and
 * 25006 on a standby, 57P0 shutdowns.
 */
const statesOfAbsence = /^(08|40|53|25006|55000|57P0)/;
const statesOfOverload = /^(57014|55P03|58)/;
const networkFailures =
  /^(CONNECTION_|CONNECT_TIMEOUT|SASL_|EAI_|E(CONN\w+|PIPE|TIMEDOUT|NOENT|NOTFOUND|NOTCONN|HOST\w+|NET\w+|ADDRNOTAVAIL|PROTO|[MN]FILE|NOBUFS|NOMEM)$|ERR_(STREAM|SOCKET|TLS|SSL)_|CERT_|UNABLE_TO_)/;

/** A fatal error of any code ends or refuses the session. */
function endsSession({ severity, severity_local: inTheServersLanguage }: postgres.PostgresError): boolean {
  return [severity, inTheServersLanguage].some((level) => level === 'FATAL' || level === 'PANIC');
}

export function isConnectTimeout(error: unknown): boolean {
  return codeOf(error) === 'CONNECT_TIMEOUT';
}

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : '';
}

const tooManyConflicts = 'TOO_MANY_CONFLICTS';

/** An append lost every race. */
export function tooManyConflictsError(stream: string, conflicts: number): Error {
  return Object.assign(new Error(`Appending to ${stream} met ${conflicts} version conflicts`), {
    code: tooManyConflicts,
  });
}

const foreignCluster = 'FOREIGN_CLUSTER';

/** The ledger was not recorded in this cluster, so nothing may be appended. */
export function foreignClusterError(sentence: string): Error {
  return Object.assign(new Error(sentence), { code: foreignCluster });
}

export function isForeignCluster(error: unknown): boolean {
  return codeOf(error) === foreignCluster;
}

const clockOff = 'CLOCK_OFF';

export function clockOffError(sentence: string): Error {
  return Object.assign(new Error(sentence), { code: clockOff });
}

export function isClockOff(error: unknown): boolean {
  return codeOf(error) === clockOff;
}

/** Another cluster, or a wrong clock. */
export function forbidsAppends(error: unknown): boolean {
  return isForeignCluster(error) || isClockOff(error);
}
