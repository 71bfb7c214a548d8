import type { Transaction } from './database.ts';
import { readSchema } from './dump-schema.ts';
import { type AppliedMigration, historyTable } from './migration-history.ts';

// Four files replaced 25 migrations with numbers up to 30. They create the same schema, so a database that has all 25 gets
// a new migration history and nothing else. A database with fewer is refused, because the four files do not contain the
// changes that the missing ones made to rows.

/** The last commit that has the 25 files. */
const lastWithThem = '6879a90';

const earlier = [
  '1 ledger, 2 orders, 3 append, 4 migration-history, 5 refunds, 6 square-hints, 7 throttle, 8 admin, 9 images',
  '10 admin-lists, 12 checkpoints, 13 forget-contact, 14 export-tokens, 17 search-by-index, 18 lighter-append',
  '19 payouts, 21 books, 22 quicker-append, 23 appends-without-generated-columns, 24 quicker-day-counts',
  '26 refunds-of-the-dashboard, 27 common-words, 28 lines-and-rows, 29 fencing, 30 returned-orphans',
].flatMap((line) => line.split(', '));

/** The schemas that the four files create. Other schemas of the database are not ours and are not compared. */
const schemas = ['admin', 'image', 'kilim', 'ledger'];

/** Its message is a sentence for the operator. */
export class NotAdopted extends Error {}

/** The number of the last of the four files. */
export const newestOfTheFour = 4;

/** Compares number 2, because number 1 is called `ledger` in both versions. */
export function isOfEarlierVersion(applied: readonly AppliedMigration[]): boolean {
  return applied.some(({ version, name }) => `${version} ${name}` === earlier[1]);
}

/**
 * Replaces the migration history, if the schema equals the one that the four files create, and adds the comments of the four
 * files. To compare, it renames our schemas, lets `makeAnew` apply the four files, reads the result, and undoes both. So the
 * same server describes both schemas, and the login needs no more privileges than for migrating.
 * @returns a line for the operator. @throws NotAdopted, or the error of the database; the caller then rolls the transaction back.
 */
export async function adoptEarlier(
  transaction: Transaction,
  applied: readonly AppliedMigration[],
  makeAnew: (transaction: Transaction) => Promise<unknown>,
): Promise<string> {
  refuseIncomplete(applied);
  const found = await describe(transaction);
  const made = await undone(transaction, async (inner) => {
    for (const name of schemas) await inner.unsafe(`alter schema ${name} rename to earlier_${name}`);
    await makeAnew(inner);
    return { ...(await describe(inner)), history: await historyRows(inner), comments: await comments(inner) };
  });
  refuseDifferent(found.objects, made.objects);
  const rewritten = made.functions.filter((definition) => !found.functions.includes(definition));
  for (const statement of [...rewritten, ...made.comments]) await transaction.unsafe(statement);
  await transaction`delete from ${transaction(historyTable)}`;
  await transaction`
    insert into ${transaction(historyTable)}
    select * from json_populate_recordset(null::kilim.migration, ${made.history}::text::json)`;
  return `Took over a database of an earlier version: the ${newestOfTheFour} migrations of this version replace the \
${applied.length} in its history. Its data did not change.`;
}

function refuseIncomplete(applied: readonly AppliedMigration[]): void {
  if (applied.map(({ version, name }) => `${version} ${name}`).join() === earlier.join()) return;
  throw new NotAdopted(
    `This database is of an earlier version. Its newest migration is number ${applied.at(-1)?.version}, and this version can \
only take over a database with all migrations up to number 30. Nothing was changed. Check out commit ${lastWithThem}, run npm ci, then
- with DATABASE_URL: npm run migrate, with the variables of the server
- with an embedded database: npm start with the same DATA_DIR, and stop it when it is ready
and start this version again. Or use an empty database or DATA_DIR.`,
  );
}

function refuseDifferent(found: readonly string[], made: readonly string[]): void {
  const asMade = new Set(made.map(withoutLayout));
  const asFound = new Set(found.map(withoutLayout));
  const different = [
    ...found.filter((object) => !asMade.has(withoutLayout(object))),
    ...made.filter((object) => !asFound.has(withoutLayout(object))),
  ];
  if (different.length === 0) return;
  throw new NotAdopted(
    `This database is of an earlier version, and its schema differs from the one that the migrations of commit ${lastWithThem} \
create. Nothing was changed. Undo the changes of ${[...new Set(different.map(nameOf))].join(', ')}, and start again. \
Or use an empty database or DATA_DIR.`,
  );
}

/** String literals, words and signs only. Function bodies keep comments and line breaks, which have no effect. */
function withoutLayout(object: string): string {
  const parts = object.match(/'(?:[^']|'')*'|--.*|\w+|[^\s\w]/g) ?? [];
  return parts.filter((part) => !part.startsWith('--')).join(' ');
}

/** Of `create table ledger.event (...`: `table ledger.event`. */
function nameOf(object: string): string {
  const line = object.split('\n').find((each) => !each.startsWith('--')) ?? '';
  const [, kind = '', name = ''] = /^create (?:or replace )?(\w+(?: \w+)?) ([\w."]+)/i.exec(line) ?? [];
  return name === '' ? line : `${kind.toLowerCase()} ${name}`;
}

async function describe(transaction: Transaction) {
  const sections = await readSchema(transaction, schemas);
  const functions = await transaction<{ definition: string }[]>`
    select pg_get_functiondef(oid) as definition from pg_proc
    where pronamespace in (select oid from pg_namespace where nspname in ${transaction(schemas)}) order by oid`;
  return {
    objects: sections.flatMap(([, objects]) => objects),
    functions: functions.map(({ definition }) => definition),
  };
}

/** As text, because the driver rounds timestamps to milliseconds. */
async function historyRows(transaction: Transaction): Promise<string> {
  const [row] = await transaction<{ rows: string }[]>`
    select json_agg(migration)::text as rows from ${transaction(historyTable)} migration`;
  return row?.rows ?? '[]';
}

async function comments(transaction: Transaction): Promise<readonly string[]> {
  const rows = await transaction<{ statement: string }[]>`
    select format('comment on %s %s is %L', regexp_replace(object.type, '^(table|composite) (?=.)', ''), object.identity,
      description) as statement
    from pg_description, pg_identify_object(classoid, objoid, objsubid) object
    where coalesce(object.schema, object.name) in ${transaction(schemas)}`;
  return rows.map(({ statement }) => statement);
}

/** Returns the result of the work, and rolls back its changes. */
async function undone<Answer>(
  transaction: Transaction,
  work: (transaction: Transaction) => Promise<Answer>,
): Promise<Answer> {
  const undo = new Error('Undo');
  let answer: { readonly is: Answer } | undefined;
  await transaction
    .savepoint(async (inner) => {
      answer = { is: await work(inner) };
      throw undo;
    })
    .catch((error: unknown) => {
      if (error !== undo) throw error;
    });
  if (answer === undefined) throw undo;
  return answer.is;
}
