import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { Contact } from '@kilim/domain/contact';
import type { OrderId } from '@kilim/domain/order/ids';
import { v7 } from 'uuid';
import type { Sql, Transaction } from '../../bff/src/core/database/database.ts';
import { type Authenticity, findAuthenticity } from '../../bff/src/core/ledger/authenticity.ts';
import { contactDigest, contactRow } from '../../bff/src/core/ledger/contact.ts';
import { sha256 } from '../../bff/src/core/ledger/hash.ts';
import { type Random, seeded } from '../seeded-random.ts';
import type { History } from '../square/history.ts';
import { type CopiedTable, copied, type Line, type OrderRows, rowsOf } from './ledger-rows.ts';
import { digits, drawHex, liveOrder } from './order-life.ts';
import { historyOf } from './square-history.ts';

export type Seed = {
  readonly orders: number;
  /** Up to `until`. */
  readonly days: number;
  readonly until: Date;
  /** Gives the same orders, except for their ids. */
  readonly seed: number;
  readonly ordersPerBatch?: number;
  /** Absent: nothing is told. */
  readonly tellSquare?: (history: History) => Promise<void>;
};

const millisecondsPerDay = 24 * 60 * 60 * 1000;

/**
 * The production deciders and codecs make the events, and COPY writes them with rights that the application does not
 * have. Each batch is one transaction. Later events of an order are written with later batches, so the ledger is in the
 * order of recording; an interrupted run leaves orders without them.
 * @param ownerSql one connection, as the owner of the tables. Its appends carry MACs, so those of seeded events do.
 */
export async function seedOrders(ownerSql: Sql, seed: Seed, onProgress: (orders: number) => void): Promise<void> {
  const { ordersPerBatch = 5000 } = seed;
  const bearing: Bearing = { seed, random: seeded(seed.seed), stamp: findAuthenticity(ownerSql)?.stamp };
  const waiting = new Map<CopiedTable, readonly Line[]>();
  for (let done = 0; done < seed.orders; done += ordersPerBatch) {
    const count = Math.min(ordersPerBatch, seed.orders - done);
    const born = Array.from({ length: count }, (_, index) => bearOrder(bearing, done + index));
    const batch = born.map(({ rows }) => rows);
    const nextBegins = done + count < seed.orders ? placedAt(seed, done + count) : Number.POSITIVE_INFINITY;
    await ownerSql.begin(async (transaction) => {
      // Seeded orders can be made again after a crash.
      await transaction`set local synchronous_commit = off`;
      for (const table of Object.keys(copied) as CopiedTable[]) {
        const lines = [...(waiting.get(table) ?? []), ...batch.flatMap((rows) => rows[table])];
        const isLater = (line: Line) => line.at >= nextBegins;
        waiting.set(table, lines.filter(isLater));
        await copy(
          transaction,
          table,
          lines.filter((line) => !isLater(line)).toSorted((one, other) => one.at - other.at),
        );
      }
    });
    // The server takes a payment of an unknown order for a stray one.
    await seed.tellSquare?.({
      payments: born.flatMap(({ history }) => history.payments),
      refunds: born.flatMap(({ history }) => history.refunds),
      disputes: born.flatMap(({ history }) => history.disputes),
    });
    onProgress(count);
  }
}

function placedAt({ orders, days, until }: Seed, number: number): number {
  const apart = (days * millisecondsPerDay) / orders;
  return Math.floor(until.getTime() - (orders - number) * apart);
}

type Bearing = {
  readonly seed: Seed;
  readonly random: Random;
  readonly stamp: Authenticity['stamp'] | undefined;
};

type Born = { readonly rows: OrderRows; readonly history: History };

function bearOrder({ seed, random, stamp }: Bearing, number: number): Born {
  const at = placedAt(seed, number);
  const orderId = v7({ msecs: at }) as OrderId;
  const contact = drawContact(random);
  const salt = Buffer.from(drawHex(random, 32), 'hex');
  const digest = contactDigest(contact, salt);
  const until = seed.until.getTime();
  const steps = liveOrder({ orderId, contactDigest: digest, placedAt: at, until }, random);
  const kept = { orderId, contact, salt, receiptTokenHash: sha256(drawHex(random, 32)) };
  return {
    rows: rowsOf({ orderId, steps, contact: contactRow(kept), stamp }),
    history: historyOf(orderId, steps, until),
  };
}

async function copy(transaction: Transaction, table: CopiedTable, lines: readonly Line[]): Promise<void> {
  const columns = transaction(copied[table]);
  const writable = await transaction`copy ledger.${transaction(table)} (${columns}) from stdin`.writable();
  await pipeline(Readable.from(chunks(lines)), writable);
}

const linesPerChunk = 200;

function* chunks(lines: readonly Line[]): Generator<string> {
  for (let from = 0; from < lines.length; from += linesPerChunk) {
    yield lines
      .slice(from, from + linesPerChunk)
      .map(({ text }) => text)
      .join('');
  }
}

const firstNames = ['Ada', 'Bela', 'Carmen', 'Dmitri', 'Elif', 'Farah', 'Grace', 'Hiro', 'Inés', 'Jonas'] as const;
const beginnings = ['Al', 'Bar', 'Cor', 'Dar', 'El', 'Far', 'Gar', 'Hol', 'Is', 'Jan', 'Kar', 'Lor', 'Mar'] as const;
const middles = ['an', 'be', 'co', 'da', 'er', 'fi', 'go', 'ha', 'in', 'ka', 'lo', 'mi', 'na', 'os', 'ra'] as const;
const endings = ['berg', 'dez', 'ford', 'ian', 'ko', 'man', 'ova', 'son', 'stein', 'ton', 'wala', 'zadeh'] as const;

function drawContact(random: Random): Contact {
  const first = random.pick(firstNames);
  const last = random.pick(beginnings) + random.pick(middles) + random.pick(middles) + random.pick(endings);
  const email = `${first}.${last}${random.whole(1000)}@example.com`.toLowerCase();
  return { name: `${first} ${last}`, email, phone: `510555${digits(random, 4)}` };
}
