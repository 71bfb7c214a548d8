import { z } from 'zod';
import type { WirePayment, WireRefund } from './wire.ts';

const instant = z.iso.datetime({ offset: true }).optional();

/** Of GET /v2/payments and GET /v2/refunds. */
export const listQuery = z.object({
  begin_time: instant,
  end_time: instant,
  updated_at_begin_time: instant,
  updated_at_end_time: instant,
  sort_field: z.enum(['CREATED_AT', 'UPDATED_AT']).default('CREATED_AT'),
  sort_order: z.enum(['ASC', 'DESC']).default('DESC'),
  location_id: z.string().optional(),
  status: z.string().optional(),
  total: z.string().optional(),
  last_4: z.string().optional(),
  card_brand: z.string().optional(),
  limit: z.coerce.number().pipe(z.int().min(1).max(100)).default(100),
  cursor: z.string().optional(),
});

type ListQuery = z.output<typeof listQuery>;

type Listed = { readonly sequence: number; readonly item: WirePayment | WireRefund };

export type Page<Item> = { readonly items: readonly Item[]; readonly cursor: string | undefined };

export type ListTerms = { readonly now: Date; readonly lagMs: number };

/**
 * Newest first by default. The cursor holds the last item's position, so that new items do not shift the pages.
 * @returns undefined for an invalid cursor.
 */
export function listPage<Entry extends Listed>(
  entries: Iterable<Entry>,
  query: ListQuery,
  terms: ListTerms,
): Page<Entry['item']> | undefined {
  const field = query.sort_field === 'UPDATED_AT' ? 'updated_at' : 'created_at';
  const order = query.sort_order === 'ASC' ? 1 : -1;
  const compare = (a: Position, b: Position) => order * (compareText(a.at, b.at) || a.sequence - b.sequence);
  const position = ({ sequence, item }: Listed): Position => ({ at: item[field], sequence });
  const { cursor } = query;
  const after = cursor === undefined ? undefined : readCursor(cursor);
  if (cursor !== undefined && after === undefined) return undefined;
  const matching = [...entries]
    .filter((entry) => matches(entry.item, query, terms))
    .filter((entry) => after === undefined || compare(position(entry), after) > 0)
    .sort((a, b) => compare(position(a), position(b)));
  const shown = matching.slice(0, query.limit);
  const last = shown.at(-1);
  const more = last !== undefined && matching.length > shown.length;
  return { items: shown.map(({ item }) => item), cursor: more ? writeCursor(position(last)) : undefined };
}

const positionSchema = z.object({ at: z.string(), sequence: z.int() });
type Position = z.output<typeof positionSchema>;

/** Instants in the same format sort like text. */
function compareText(a: string, b: string): number {
  return a === b ? 0 : a < b ? -1 : 1;
}

function writeCursor(position: Position): string {
  return Buffer.from(JSON.stringify(position)).toString('base64url');
}

function readCursor(cursor: string): Position | undefined {
  try {
    return positionSchema.parse(JSON.parse(Buffer.from(cursor, 'base64url').toString()));
  } catch {
    return undefined;
  }
}

function matches(item: WirePayment | WireRefund, query: ListQuery, terms: ListTerms): boolean {
  const visibleFrom = terms.now.getTime() - terms.lagMs;
  return (
    Date.parse(item.created_at) <= visibleFrom &&
    within(item.created_at, query.begin_time, query.end_time) &&
    within(item.updated_at, query.updated_at_begin_time, query.updated_at_end_time) &&
    equals(item.location_id, query.location_id) &&
    equals(item.status, query.status) &&
    matchesCard(item, query)
  );
}

function matchesCard(item: WirePayment | WireRefund, query: ListQuery): boolean {
  if (!('card_details' in item)) return true;
  const { card } = item.card_details;
  return (
    equals(String(item.total_money.amount), query.total) &&
    equals(card.last_4, query.last_4) &&
    equals(card.card_brand, query.card_brand)
  );
}

function equals(value: string, wanted: string | undefined): boolean {
  return wanted === undefined || value === wanted;
}

function within(instant: string, begin: string | undefined, end: string | undefined): boolean {
  const at = Date.parse(instant);
  return (begin === undefined || at >= Date.parse(begin)) && (end === undefined || at <= Date.parse(end));
}
