import { execFile } from 'node:child_process';
import { mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { OrderId } from '@kilim/domain/order/ids';
import { v7 } from 'uuid';
import type { Sql } from '../../bff/src/core/database/database.ts';
import { appendEvents } from './measure.ts';
import { findPostgresProgram } from './postgres-programs.ts';

const run = promisify(execFile);

/** The server makes a new order id each time. */
export async function statementOfAppend(sql: Sql): Promise<string> {
  const orderId = v7() as OrderId;
  const { strings, values } = await recordAppend(sql, orderId);
  const statement = strings
    .map((text, index) => text + (index < values.length ? literal(values[index], orderId) : ''))
    .join('');
  return `${statement} from (select uuidv7() as id) drawn`;
}

type Recorded = { readonly strings: readonly string[]; readonly values: readonly unknown[] };

type Parts = WeakMap<object, Recorded>;

function flat({ strings, values }: Recorded, parts: Parts): Recorded {
  const texts = [strings[0] ?? ''];
  const others: unknown[] = [];
  const join = (text: string) => texts.push((texts.pop() ?? '') + text);
  for (const [index, value] of values.entries()) {
    const part = typeof value === 'object' && value !== null ? parts.get(value) : undefined;
    if (part !== undefined) {
      const inner = flat(part, parts);
      join(inner.strings[0] ?? '');
      for (const [at, text] of inner.strings.slice(1).entries()) {
        others.push(inner.values[at]);
        texts.push(text);
      }
      join(strings[index + 1] ?? '');
    } else {
      others.push(value);
      texts.push(strings[index + 1] ?? '');
    }
  }
  return { strings: texts, values: others };
}

/** Its client records the statement instead of sending it. */
async function recordAppend(sql: Sql, orderId: OrderId): Promise<Recorded> {
  // The first append of a process also compares the cluster.
  await appendEvents(sql);
  const parts: Parts = new WeakMap();
  let whole: Recorded = { strings: [], values: [] };
  const keep = (strings: readonly string[], ...values: readonly unknown[]) => {
    const statement = Promise.resolve([{ appended: true }]);
    parts.set(statement, { strings, values });
    // The whole statement is made after its parts.
    whole = { strings, values };
    return statement;
  };
  await appendEvents(Object.assign(keep, { typed: sql.typed }) as unknown as Sql, orderId);
  return flat(whole, parts);
}

function literal(value: unknown, orderId: string): string {
  if (value === null || value === undefined) return 'null';
  if (typeof value === 'number') return String(value);
  if (value instanceof Uint8Array) return `'\\x${Buffer.from(value).toString('hex')}'::bytea`;
  if (typeof value === 'object' && 'value' in value) {
    const items = value.value as readonly unknown[];
    return `array[${items.map((item) => literal(item === null ? null : String(item), orderId)).join(', ')}]`;
  }
  // A pgbench script takes a statement on one line.
  const text = `E'${String(value).replaceAll('\\', String.raw`\\`).replaceAll("'", "''").replaceAll('\n', String.raw`\n`)}'`;
  const drawn = [
    { from: orderId, to: 'drawn.id::text' },
    { from: orderId.replaceAll('-', ''), to: "replace(drawn.id::text, '-', '')" },
  ];
  return drawn
    .filter(({ from }) => text.includes(from))
    .reduce((expression, { from, to }) => `replace(${expression}, '${from}', ${to})`, text);
}

type Load = { readonly inFlight: number; readonly seconds: number };
type Measured = { readonly perSecond: number; readonly clientMicroseconds: number };

/** Installed or from Docker; undefined when there is neither. */
export async function pgbenchOf(
  url: string,
  statement: string,
): Promise<((load: Load) => Promise<Measured>) | undefined> {
  const folder = await mkdtemp(join(tmpdir(), 'kilim-pgbench-'));
  // A space after each colon that pgbench would read as the start of a variable.
  const script = statement.replaceAll(/\s*\n\s*/g, ' ').replaceAll(/(?<!:):(?=[A-Za-z_])/g, ': ');
  await writeFile(join(folder, 'append.sql'), `${script};\n`);
  const command = await findPostgresProgram('pgbench', folder);
  if (command === undefined) return undefined;
  return async ({ inFlight, seconds }) => {
    const load = ['-n', '-M', 'prepared', '-c', String(inFlight), '-j', '2', '-T', String(seconds), '-f'];
    const [program = '', ...first] = command;
    const file = program === 'docker' ? '/bench/append.sql' : join(folder, 'append.sql');
    const { stdout } = await run(program, [...first, ...load, file, url]);
    const perSecond = Number(/tps = ([\d.]+)/.exec(stdout)?.[1]);
    if (!(perSecond > 0)) throw new Error(stdout);
    return { perSecond, clientMicroseconds: 0 };
  };
}
