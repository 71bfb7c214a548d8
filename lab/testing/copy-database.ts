import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connect, type Sql, type Transaction } from '../../bff/src/core/database/database.ts';
import { migrate } from '../../bff/src/core/database/migrate.ts';
import { startEmbeddedPostgres } from '../../bff/src/start/embedded/postgres.ts';

/** Its files are new, so its transaction counter begins again. */
export type FreshCluster = {
  /** As superuser, to an empty database. */
  readonly url: string;
  readonly stop: () => Promise<void>;
};

export async function startFreshCluster(): Promise<FreshCluster> {
  const dataDir = await mkdtemp(join(tmpdir(), 'kilim-cluster-'));
  const server = await startEmbeddedPostgres({ dataDir, persistent: false });
  return {
    url: server.url,
    stop: async () => {
      await server.stop();
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}

export type Copying = {
  /** As superuser, of a migrated database. */
  readonly from: string;
  /** As superuser, of an empty database, usually in another cluster. */
  readonly to: string;
  /** `false` leaves the sequences at their start, as a restore by COPY alone does. */
  readonly withSequences?: boolean;
};

/**
 * The same rows in tables that new migrations made, as with `pg_dump` and `pg_restore`. Keeps each table in memory, so
 * it is for small ledgers. Stop the writers first: tables are read one after the other.
 */
export async function copyDatabase({ from, to, withSequences = true }: Copying): Promise<void> {
  await migrate({ url: to });
  const source = connect({ url: from, max: 1, applicationName: 'kilim copy', statementTimeoutSeconds: 0 });
  const target = connect({ url: to, max: 1, applicationName: 'kilim copy', statementTimeoutSeconds: 0 });
  try {
    const tables = await tablesOf(source);
    const [epoch] = await source<{ expression: string }[]>`
      select pg_get_expr(adbin, adrelid) as expression from pg_attrdef join pg_attribute a
        on a.attrelid = adrelid and a.attnum = adnum
      where adrelid = 'ledger.event'::regclass and attname = 'epoch'`;
    const [sequence] = await source<{ last: string | null }[]>`
      select pg_sequence_last_value('ledger.event_position_seq')::text as last`;
    await target.begin(async (transaction) => {
      await transaction`set local session_replication_role = replica`;
      for (const table of tables) await emptied(transaction, table);
      for (const table of tables) await copyTable(source, transaction, table);
      for (const table of tables) await guarded(transaction, table);
      await transaction.unsafe(`alter table ledger.event alter column epoch set default ${epoch?.expression ?? '1'}`);
      if (withSequences && sequence?.last != null) {
        await transaction`select setval('ledger.event_position_seq', ${sequence.last}::text::bigint)`;
      }
    });
  } finally {
    await Promise.all([source.end({ timeout: 1 }), target.end({ timeout: 1 })]);
  }
}

type Table = {
  readonly name: string;
  /** Without generated columns, which cannot be copied. */
  readonly columns: string;
  /** Also against `session_replication_role = replica`. */
  readonly guards: readonly string[];
};

async function tablesOf(sql: Sql): Promise<readonly Table[]> {
  const rows = await sql<{ name: string; columns: string; guards: string }[]>`
    select c.oid::regclass::text as name,
      (
        select string_agg(quote_ident(attname), ', ' order by attnum) from pg_attribute
        where attrelid = c.oid and attnum > 0 and not attisdropped and attgenerated = ''
      ) as columns,
      coalesce((
        select string_agg(tgname, ' ') from pg_trigger where tgrelid = c.oid and tgenabled = 'A'
      ), '') as guards
    from pg_class c join pg_namespace n on n.oid = relnamespace
    where nspname in ('admin', 'image', 'kilim', 'ledger') and relkind = 'r'
      and c.oid::regclass::text <> 'kilim.migration'
    order by 1`;
  return rows.map(({ name, columns, guards }) => ({ name, columns, guards: guards.split(' ').filter(Boolean) }));
}

/** Removes the rows that migrations made. */
async function emptied(transaction: Transaction, { name, guards }: Table): Promise<void> {
  for (const guard of guards) await transaction.unsafe(`alter table ${name} disable trigger ${guard}`);
  await transaction.unsafe(`delete from ${name}`);
}

async function guarded(transaction: Transaction, { name, guards }: Table): Promise<void> {
  for (const guard of guards) await transaction.unsafe(`alter table ${name} enable always trigger ${guard}`);
}

async function copyTable(source: Sql, target: Transaction, { name, columns }: Table): Promise<void> {
  const chunks: Buffer[] = [];
  const readable = await source.unsafe(`copy ${name} (${columns}) to stdout`).readable();
  readable.on('data', (chunk: Buffer) => chunks.push(Buffer.from(chunk)));
  await once(readable, 'end');
  const writable = await target.unsafe(`copy ${name} (${columns}) from stdin`).writable();
  const written = once(writable, 'finish');
  writable.end(Buffer.concat(chunks));
  await written;
}
