import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Transaction } from '../core/database/database.ts';
import { migrationsDirectory } from '../core/database/migrate.ts';
import { appliedMigrations } from '../core/database/migration-history.ts';
import { dumpSchema } from './dump-schema.ts';

export type SchemaFault = {
  readonly code: 'SchemaDiffers';
  readonly object: string;
  /** The first line that differs: with `-` it is missing, with `+` only the database has it. */
  readonly line: string;
};

/** False when the database has the migrations of another release. */
export type ComparedSchema = { readonly isCompared: boolean; readonly faults: readonly SchemaFault[] };

/**
 * A database owner who removes a guard or replaces an append function need change no event. Logins, other schemas and
 * extensions belong to the operator and are not compared.
 */
export async function compareSchema(reader: Transaction): Promise<ComparedSchema> {
  const committed = parse(await readFile(join(migrationsDirectory, 'schema.sql'), 'utf8'));
  const present = parse(await dumpSchema(reader));
  const own = new Set([...committed.keys()].flatMap((name) => /^schema (\S+)$/.exec(name)?.[1] ?? []));
  const faults: SchemaFault[] = [];
  for (const [object, text] of committed) {
    const line = firstDifference(withoutEpoch(text), withoutEpoch(present.get(object) ?? ''));
    if (line !== undefined) faults.push({ code: 'SchemaDiffers', object, line });
  }
  for (const [object, text] of present) {
    if (!committed.has(object) && own.has(schemaOf(object))) {
      faults.push({ code: 'SchemaDiffers', object, line: `+ ${statementOf(text)}` });
    }
  }
  if (faults.length > 0 && !(await hasOwnMigrations(reader))) return { isCompared: false, faults: [] };
  return { isCompared: true, faults };
}

const startOfObject =
  /^(?:create|CREATE)(?: OR REPLACE)? (?:unlogged )?(role|schema|extension|type|domain|table|sequence|view|materialized view|FUNCTION|PROCEDURE|event trigger) ([^\s(;]+)/;

/** A function of several parameter lists is one object. */
function parse(dump: string): ReadonlyMap<string, string> {
  const objects = new Map<string, string>();
  let name = '';
  for (const part of dump.split('\n\n')) {
    const [, kind = '', called = ''] = startOfObject.exec(statementOf(part)) ?? [];
    if (called !== '') name = `${kind.toLowerCase()} ${called}`;
    const before = objects.get(name);
    if (!/^-- [A-Z][a-z ]+$/.test(part)) objects.set(name, before === undefined ? part : `${before}\n\n${part}`);
  }
  // The heading, and default rights, which concern only later objects.
  objects.delete('');
  return objects;
}

function statementOf(text: string): string {
  return text.split('\n').find((line) => !line.startsWith('--')) ?? '';
}

/** A restore raises the default of `epoch`: see `ledger.adopt_cluster`. */
function withoutEpoch(text: string): string {
  return text.replace(/^( {2}epoch smallint not null default) \d+/m, '$1 1');
}

function schemaOf(object: string): string {
  return /^\S+(?: view)? ([^.]+)\./.exec(object)?.[1] ?? '';
}

function firstDifference(committed: string, present: string): string | undefined {
  if (committed === present) return undefined;
  const [was, is] = [committed.split('\n'), present.split('\n')];
  const missing = was.find((line) => !is.includes(line) && !isComment(line));
  const added = is.find((line) => !was.includes(line) && !isComment(line));
  if (present === '') return `- ${statementOf(committed)}`;
  if (missing !== undefined) return `- ${missing.trim()}`;
  if (added !== undefined) return `+ ${added.trim()}`;
  // Comments and the order of lines change nothing.
  return was.filter((line) => !isComment(line)).join('\n') === is.filter((line) => !isComment(line)).join('\n')
    ? undefined
    : '- (the lines have another order)';
}

function isComment(line: string): boolean {
  return /^\s*--/.test(line) || line === '';
}

async function hasOwnMigrations(reader: Transaction): Promise<boolean> {
  const [right] = await reader<{ may: boolean }[]>`
    select has_schema_privilege(n.oid, 'usage') as may from pg_namespace n where n.nspname = 'kilim'`;
  // A verifier's login may not read the history.
  if (right?.may !== true) return true;
  const applied = (await appliedMigrations(reader)).map(({ version }) => version);
  const numbers = (await readdir(migrationsDirectory)).flatMap((file) => /^(\d{4})\.do\./.exec(file)?.[1] ?? []);
  return (
    applied.join() ===
    numbers
      .map(Number)
      .toSorted((one, other) => one - other)
      .join()
  );
}
