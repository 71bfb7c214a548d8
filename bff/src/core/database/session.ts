import type { Sql } from './database.ts';

export type Session = {
  readonly login: string;
  readonly user: string;
  readonly isReadOnly: boolean;
  /** In PostgreSQL's own units: milliseconds for times. */
  readonly settings: Readonly<Record<string, string>>;
  readonly isPooled: boolean;
  /** False too when the pool prepares nothing. */
  readonly keepsStatementName: boolean;
};

type SessionRow = {
  readonly login: string;
  readonly user: string;
  readonly is_read_only: boolean;
  readonly settings: Readonly<Record<string, string>>;
  readonly process_id: number;
  readonly statement_names: string | null;
};

/**
 * One prepared statement finds everything. A pooler invents the process id that a client learns, and names prepared
 * statements itself.
 */
export async function readSession(sql: Sql): Promise<Session> {
  const rows = await sql<SessionRow[]>`
    select session_user::text as login, current_user::text as user,
      current_setting('transaction_read_only') = 'on' as is_read_only, pg_backend_pid() as process_id,
      (select json_object_agg(name, setting) from pg_settings where name in (
        'statement_timeout', 'lock_timeout', 'idle_in_transaction_session_timeout', 'TimeZone', 'search_path'
      )) as settings,
      (select string_agg(name, ' ') from pg_prepared_statements) as statement_names`;
  const [row] = rows;
  if (row === undefined) throw new Error('PostgreSQL said nothing about the session.');
  const names = row.statement_names?.split(' ') ?? [];
  return {
    login: row.login,
    user: row.user,
    isReadOnly: row.is_read_only,
    settings: row.settings,
    isPooled: rows.state.pid !== row.process_id,
    keepsStatementName: names.includes(rows.statement.name),
  };
}
