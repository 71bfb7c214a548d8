import {
  type ConnectOptions,
  limitsOf,
  type Sql,
  servingLimits,
  sessionSettings,
} from '../../core/database/database.ts';
import type { DatabasePlace } from '../../core/database/explain-database-error.ts';
import { whenConnected } from '../../core/database/repeat-while-away.ts';
import { readSession, type Session } from '../../core/database/session.ts';
import { type Diagnosis, sentenceOf } from '../../core/runtime/diagnosis.ts';

export type SessionExpectation = Pick<ConnectOptions, 'role' | 'statementTimeoutSeconds' | 'lockTimeoutSeconds'> &
  Pick<DatabasePlace, 'variable'>;

/** Through a pooler every pool has the limits of `servingLimits`. */
export async function checkSession(sql: Sql, expected: SessionExpectation): Promise<readonly Diagnosis[]> {
  const session = await whenConnected(() => readSession(sql));
  // An address that names a pooler sends no settings, whatever answers there.
  const sendsSettings = !session.isPooled && sql.options.connection.statement_timeout !== undefined;
  return [wrongSettings(session, expected, sendsSettings), lostStatements(session, sql), noWriting(session)]
    .filter((found) => found !== undefined)
    .map((found) => ({ level: 'error', variable: expected.variable, ...found }));
}

/** @throws Error with the sentences of `checkSession`. */
export async function refuseWrongSession(sql: Sql, expected: SessionExpectation): Promise<void> {
  const found = await checkSession(sql, expected);
  if (found.length > 0) throw new Error(found.map(sentenceOf).join(' '));
}

type Finding = Pick<Diagnosis, 'problem' | 'remedy'>;

function wrongSettings(
  { login, user, settings: actual }: Session,
  expected: SessionExpectation,
  sendsSettings: boolean,
): Finding | undefined {
  const { role = user, ...settings } = sessionSettings({
    ...(sendsSettings ? limitsOf(expected) : servingLimits),
    role: expected.role,
  });
  const differences = [
    ...(user === role ? [] : [`the role ${user} instead of ${role}`]),
    ...Object.entries(settings)
      .filter(([name, value]) => actual[name] !== String(value))
      .map(([name, value]) => `${name} ${actual[name]} instead of ${value}`),
  ];
  if (differences.length === 0) return undefined;
  return {
    problem: `sessions${sendsSettings ? '' : ' through the connection pooler'} have ${differences.join(', ')}.`,
    remedy: sendsSettings
      ? 'A connection pooler drops what the server sends: add pooler=unprepared to the query of the address, and see docs/larger/poolers.md.'
      : `Run \`npm run migrate -- --login ${login}\` with the owner's login in MIGRATION_DATABASE_URL, then RECONNECT or restart the pooler.`,
  };
}

function lostStatements({ isPooled, keepsStatementName }: Session, sql: Sql): Finding | undefined {
  if (!isPooled || !keepsStatementName || !sql.options.prepare) return undefined;
  return {
    problem: 'the connection pooler does not know prepared statements.',
    remedy: 'Add pooler=unprepared to the query of the address, or set max_prepared_statements of PgBouncer.',
  };
}

function noWriting({ isReadOnly }: Session): Finding | undefined {
  if (!isReadOnly) return undefined;
  return {
    problem: 'the database takes no writes: it is a standby, or default_transaction_read_only is on.',
    remedy: 'Set the address of the primary.',
  };
}
