import { createMiddleware } from 'hono/factory';
import { foreignNamed, foreignOf } from './foreign.ts';
import { fieldsOf, isObject, schemaOf } from './published.ts';
import type { WireEvent } from './wire.ts';
import type { World } from './world.ts';

// The hostile local Square answers as Square's published schemas allow and as it does on its worst day. It moves money
// as usual: only answers and events are changed, on their way out.

/**
 * What says whose an object is, how much money it is about and where it stands. Without these the server can only name
 * the object, see `square-variants.spec.ts`. All else that Square calls optional or nullable is null or absent.
 */
const kept: Readonly<Record<string, string>> = {
  Payment:
    'id created_at updated_at amount_money status reference_id application_details refunded_money processing_fee',
  ApplicationDetails: 'square_product application_id',
  ProcessingFee: 'amount_money',
  Money: 'amount currency',
  PaymentRefund: 'status payment_id reason created_at updated_at processing_fee',
  Dispute: 'id amount_money state disputed_payment',
  DisputedPayment: 'payment_id',
  Payout: 'status type amount_money created_at updated_at',
  PayoutEntry:
    'type gross_amount_money net_amount_money type_charge_details type_refund_details type_dispute_details type_fee_details',
  PaymentBalanceActivityChargeDetail: 'payment_id',
  PaymentBalanceActivityFeeDetail: 'payment_id',
  PaymentBalanceActivityRefundDetail: 'payment_id refund_id',
  PaymentBalanceActivityDisputeDetail: 'payment_id dispute_id',
  Location: 'id currency',
};

/** The same for the same object and field, so that a failure repeats. */
function chance(text: string, of: number): number {
  let hash = 2_166_136_261;
  for (const character of text) hash = Math.imul(hash ^ (character.codePointAt(0) ?? 0), 16_777_619);
  // The low bits of similar texts are similar.
  return ((hash ^ (hash >>> 15)) >>> 0) % of;
}

/** Null, absent or, if it is an object, all but empty. */
function sparse(schema: string, value: unknown, path: string): unknown {
  const fields = fieldsOf(schema);
  if (fields === undefined || !isObject(value)) return value;
  const stays = kept[schema]?.split(' ') ?? [];
  const entries = fields.flatMap(({ name, type, isRequired, isNullable }): readonly (readonly [string, unknown])[] => {
    const found = value[name];
    const at = `${path}.${name}`;
    const inside = () =>
      [name, Array.isArray(found) ? found.map((item) => sparse(type, item, at)) : sparse(type, found, at)] as const;
    if (isRequired || (stays.includes(name) && found !== undefined && found !== null)) return [inside()];
    if (isObject(found) && chance(`${at} object`, 3) === 0) return [inside()];
    return isNullable && chance(at, 2) === 0 ? [[name, null]] : [];
  });
  return Object.fromEntries(entries);
}

type Body = Readonly<Record<string, unknown>>;

/** Of an answer, or of an event's object. */
function sparseBody(body: Body): Body {
  const entries = Object.entries(body).map(([name, value]): readonly [string, unknown] => {
    const schema = schemaOf[name];
    if (schema === undefined) return [name, value];
    const one = (item: unknown) => sparse(schema, item, idOf(item));
    return [name, Array.isArray(value) ? value.map(one) : one(value)];
  });
  return Object.fromEntries(entries);
}

function idOf(item: unknown): string {
  return isObject(item) && typeof item['id'] === 'string' ? item['id'] : '';
}

export function hostileEvent(event: WireEvent): object {
  const object = { ...event.data.object };
  return { ...event, data: { ...event.data, object: withoutFees(sparseBody(object)) } };
}

/** Square reports fees some time after the payment. */
function withoutFees(body: Body): Body {
  if (!isObject(body['payment'])) return body;
  const { processing_fee: _, ...payment } = body['payment'];
  return { ...body, payment };
}

/** Late, twice, or after the next one. */
export function hostileDelivery({ event_id: id }: WireEvent) {
  const ways = [
    { kind: 'webhook-delay', ms: 1500 },
    { kind: 'webhook-duplicate' },
    { kind: 'webhook-reorder' },
  ] as const;
  return ways[chance(id, ways.length)];
}

const listPath = /^\/v2\/(?:payouts\/[^/]+\/)?(payments|refunds|disputes|payouts|payout-entries)$/;
const objectPath = /^\/v2\/(?:payments|refunds|disputes)\/([^/]+)$/;
const foreignPlace = /^foreign-(\d+)$/;

/** Between the faults and the API. */
export function hostileEdge(world: World) {
  const asItWas = rememberVersions(world);
  return createMiddleware(async (c, next) => {
    if (!world.settings.hostile) return next();
    const { method, path, raw } = c.req;
    const list = method === 'GET' ? listPath.exec(path)?.[1]?.replace('-', '_') : undefined;
    const asked = new URL(raw.url);
    const place = asked.searchParams.get('cursor');
    if (list !== undefined) c.req.raw = new Request(pageOfOne(asked), { headers: raw.headers });
    await next();
    c.req.raw = raw;
    const { status } = c.res;
    const foreign =
      method === 'GET' && status === 404 ? foreignNamed(world, objectPath.exec(path)?.[1] ?? '') : undefined;
    let body = foreign ?? ((await c.res.clone().json()) as Body);
    if (list !== undefined && status === 200) {
      const others = place === null || foreignPlace.test(place) ? foreignOf(world, list, asked) : [];
      body = foreignPage(list, others, place) ?? { ...body, ...oldVersions(list, body, asItWas) };
    }
    const headers = { 'square-version': '2026-09-16' };
    const sent = method === 'POST' ? withoutFees(sparseBody(body)) : sparseBody(body);
    c.res = undefined;
    c.res = Response.json(sent, { status: foreign === undefined ? status : 200, headers });
  });
}

/** The API does not know the places of the foreign pages: its own list begins after them. */
function pageOfOne(asked: URL): URL {
  const url = new URL(asked);
  if (!url.pathname.endsWith('/disputes')) url.searchParams.set('limit', '1');
  if (foreignPlace.test(url.searchParams.get('cursor') ?? '')) url.searchParams.delete('cursor');
  return url;
}

/**
 * Foreign objects come first, one a page, then an empty page that goes on.
 * @returns undefined when they are over.
 */
function foreignPage(list: string, others: readonly object[], place: string | null): Body | undefined {
  const at = place === null ? 0 : Number(foreignPlace.exec(place)?.[1] ?? others.length + 1);
  if (others.length === 0 || at > others.length) return undefined;
  const cursor = `foreign-${at + 1}`;
  return at === others.length ? { cursor } : { [list]: [others[at]], cursor };
}

type Versions = (item: unknown) => unknown;

function oldVersions(list: string, body: Body, asItWas: Versions): Body {
  const items = body[list];
  return Array.isArray(items) ? { [list]: items.map(asItWas) } : {};
}

/** A list shows an object as it was some seconds ago. */
function rememberVersions(world: World): Versions {
  const versions = new Map<string, { readonly at: number; readonly item: object }[]>();
  world.store.onCommit((changes) => {
    if (!world.settings.hostile) return;
    for (const change of changes) {
      const item = change.type === 'payment' ? change.payment : change.type === 'refund' ? change.refund : undefined;
      if (item === undefined) continue;
      versions.set(item.id, [...(versions.get(item.id) ?? []), { at: world.clock.now().getTime(), item }]);
    }
  });
  return (item) => {
    const seen = world.clock.now().getTime() - world.settings.listLagMs;
    return versions.get(idOf(item))?.findLast(({ at }) => at <= seen)?.item ?? item;
  };
}
