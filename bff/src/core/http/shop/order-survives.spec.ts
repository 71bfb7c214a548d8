import { deliveryOptions, tiers } from '@kilim/domain/catalog';
import { type ContactInput, parseContact, pickupWindows } from '@kilim/domain/contact';
import type { OrderId } from '@kilim/domain/order/ids';
import { decide, notPlaced } from '@kilim/domain/order/place';
import { latestPickupDays } from '@kilim/domain/pickup-plan';
import { quoteOrder } from '@kilim/domain/quote';
import { builtInRates } from '@kilim/domain/rates';
import { addOns, type Inches, type Rug, withIncluded } from '@kilim/domain/rug';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { quoteRequest } from '../../../../contract/order-request.ts';
import { rugToWire } from '../../../../contract/rug.ts';
import { orderCodec } from '../../ledger/codecs/order.ts';
import { type ContactColumns, contactOf, contactRow } from '../../ledger/contact.ts';
import { parseOrder } from './parse-order.ts';

/** A new field of a rug or a contact does not compile until it has values here. */
const anyRug = fc
  .record({
    width: fc.integer({ min: 12, max: 1200 }).map((inches) => inches as Inches),
    length: fc.integer({ min: 12, max: 1200 }).map((inches) => inches as Inches),
    tier: fc.constantFrom(...tiers),
    ...(Object.fromEntries(addOns.map((addOn) => [addOn, fc.boolean()])) as Record<
      (typeof addOns)[number],
      fc.Arbitrary<boolean>
    >),
  } satisfies { readonly [Field in keyof Rug]: fc.Arbitrary<Rug[Field]> })
  .map((rug) => withIncluded(rug));

const word = fc
  .string({ unit: fc.constantFrom(...'abcdefgh ÅØß李-’é'), minLength: 1, maxLength: 30 })
  .map((text) => `x${text.trim()}`);
const digits = (count: number) =>
  fc.string({ unit: fc.constantFrom(...'0123456789'), minLength: count, maxLength: count });
const anyContact: fc.Arbitrary<ContactInput> = fc.record({
  name: word,
  email: fc.nat().map((number) => `customer${number}@example.com`),
  phone: digits(10),
  address: word,
  addressLine2: fc.oneof(word, fc.constant('')),
  city: word,
  state: word,
  zipCode: digits(5),
  pickupDay: fc.integer({ min: 10, max: 10 + latestPickupDays }).map((day) => `2026-12-${day}`),
  pickupWindow: fc.constantFrom('', ...pickupWindows),
  driverNote: word,
});

const anyOrder = fc.record({
  rugs: fc.array(anyRug, { minLength: 1, maxLength: 5 }),
  deliveryOption: fc.constantFrom(...deliveryOptions),
  contact: anyContact,
});

const orderId = '0198c0de-0000-7000-8000-000000000001' as OrderId;

test('every rug and every contact survives the wire, its event and its row', () => {
  fc.assert(
    fc.property(anyOrder, ({ rugs, deliveryOption, contact }) => {
      const sent = JSON.stringify({ rugs: rugs.map(rugToWire), deliveryOption, customerInfo: contact });
      const parsed = parseOrder(quoteRequest.parse(JSON.parse(sent)));
      expect(parsed).toMatchObject({ ok: true, value: { rugs, deliveryOption } });
      if (!parsed.ok) return;
      expect({ ok: true, value: parsed.value.contact }).toEqual(parseContact(contact, deliveryOption));
      const kept = { ...parsed.value, orderId, salt: new Uint8Array(16), receiptTokenHash: new Uint8Array(32) };
      const row = { ...contactRow(kept), salt: kept.salt, receipt_token_hash: kept.receiptTokenHash };
      expect(contactOf(row as ContactColumns).contact).toEqual(parsed.value.contact);
      const order = {
        orderId,
        source: { embedded: false, variant: 'B' },
      };
      const quote = quoteOrder(parsed.value, { ...builtInRates });
      const placed = decide({ ...order, quote, settingsVersion: 0, contactDigest: 'a'.repeat(64) }, notPlaced);
      if (!placed.ok) throw new Error(JSON.stringify(placed.rejection));
      const [event] = placed.value.map((each) => orderCodec.decode(orderCodec.encode(each)));
      expect(event).toMatchObject({ type: 'OrderPlaced', rugs: rugs.map((rug) => expect.objectContaining(rug)) });
    }),
    { numRuns: 300 },
  );
});
