import { evolve, evolveMoney, type Family, noMoney, notReceived } from '@kilim/domain/intake/family';
import type { OrderPlaced } from '@kilim/domain/order/events';
import type { OrderId } from '@kilim/domain/order/ids';
import type { Rates } from '@kilim/domain/rates';
import { ratesOn } from '@kilim/domain/settings/settings';
import type { Sql } from '../core/database/database.ts';
import { repeatWhileAway } from '../core/database/repeat-while-away.ts';
import { eventsOf, type OrderStream, readOrder } from '../core/ledger/read.ts';
import type { Rider } from '../core/ledger/riders.ts';
import type { SavedSettings } from '../core/queries/saved-settings.ts';

export type FamilyWorld = { readonly sql: Sql; readonly settings: SavedSettings };

/** An order and the orders that pay its differences. */
export type ReadFamily = {
  readonly stream: OrderStream;
  readonly placed: OrderPlaced;
  /** One for each that was requested; without events before the customer pays. */
  readonly supplements: readonly OrderStream[];
  readonly family: Family;
  /** Those that the order was sold at. */
  readonly rates: Rates;
};

/** @returns undefined when the order was never placed. */
export async function readFamily({ sql, settings }: FamilyWorld, orderId: OrderId): Promise<ReadFamily | undefined> {
  const stream = await repeatWhileAway(() => readOrder(sql, orderId));
  const placed = eventsOf(stream).find((event) => event.type === 'OrderPlaced');
  if (placed === undefined) return undefined;
  const asked = eventsOf(stream).flatMap((event) => (event.type === 'SupplementRequested' ? [event.supplementId] : []));
  const [supplements, sold] = await Promise.all([
    Promise.all(asked.map((id) => repeatWhileAway(() => readOrder(sql, id)))),
    settings.at(placed.settingsVersion),
  ]);
  if (sold === undefined) throw new Error(`There are no settings ${placed.settingsVersion}`);
  const rates = ratesOn(sold.settings, placed.salesTax.since);
  return { stream, placed, supplements, rates, family: familyOf(stream, supplements) };
}

export function familyOf(stream: OrderStream, supplements: readonly OrderStream[]): Family {
  const moneyOf = (each: OrderStream) => [each.orderId, eventsOf(each).reduce(evolveMoney, noMoney)] as const;
  return {
    order: eventsOf(stream).reduce(evolve, notReceived),
    supplements: new Map(supplements.filter(({ version }) => version > 0).map(moneyOf)),
  };
}

/** An append to one of them is a conflict when another one has changed since. */
export function holdFamily({ stream, supplements }: Pick<ReadFamily, 'stream' | 'supplements'>): readonly Rider[] {
  if (supplements.length === 0) return [];
  const versions = Object.fromEntries([stream, ...supplements].map(({ orderId, version }) => [orderId, version]));
  return [
    { condition: (sql) => sql`ledger.hold_family(${stream.orderId}::uuid, ${JSON.stringify(versions)}::text::json)` },
  ];
}
