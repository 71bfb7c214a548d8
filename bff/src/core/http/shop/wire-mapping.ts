import { type Contact, emptyContact } from '@kilim/domain/contact';
import { noCents, sumCents } from '@kilim/domain/money';
import type { SoldRug } from '@kilim/domain/order/events';
import type { Quote, QuoteLines } from '@kilim/domain/quote';
import { areaOf, eachAddOn, formatSquareFeet } from '@kilim/domain/rug';
import type { CustomerInfo, QuotedOrder, QuotedRug } from '../../../../contract/quote.ts';
import { addOnsToWire, rugToWire } from '../../../../contract/rug.ts';

export function quoteAnswer(orderId: string, quote: Quote): QuotedOrder {
  return {
    orderId,
    rugs: quote.rugs.map(({ rug, price, charges, total }) => rugAnswer({ ...rug, price, charges, total })),
    deliveryOption: quote.deliveryOption,
    includeDelivery: quote.deliveryOption === 'pickup',
    ...linesAnswer(quote.lines),
    salesTaxName: quote.salesTax.name,
    totalAmount: quote.total,
  };
}

export function linesAnswer(lines: QuoteLines) {
  return {
    subtotal: lines.subtotal,
    delivery: lines.delivery,
    deliveryMinimum: lines.deliveryMinimum,
    deliveryCost: sumCents([lines.delivery, lines.deliveryMinimum]),
    addOns: addOnsToWire({ ...eachAddOn(noCents), ...lines }),
    salesTax: lines.salesTax,
  };
}

export function rugAnswer(rug: SoldRug): QuotedRug {
  return {
    ...rugToWire(rug),
    width: decimalFeet(rug.width),
    length: decimalFeet(rug.length),
    unit: 'feet',
    area: Number(formatSquareFeet(areaOf(rug))),
    pricePerSqft: rug.price,
    baseCost: rug.charges.base,
    deliveryCost: rug.charges.delivery,
    stainProtectionCost: rug.charges.stainProtection,
    mothProtectionCost: rug.charges.greenPad,
    totalCost: rug.total,
  };
}

export function customerInfoAnswer(contact: Contact): CustomerInfo {
  return {
    name: contact.name,
    email: contact.email,
    phone: contact.phone,
    address: contact.address?.street ?? '',
    addressLine2: contact.address?.unit ?? '',
    city: contact.address?.city ?? '',
    state: contact.address?.state ?? '',
    zipCode: contact.address?.zipCode ?? '',
    pickupDay: contact.wishes?.day ?? '',
    pickupWindow: contact.wishes?.window ?? '',
    driverNote: contact.wishes?.note ?? '',
  };
}

/** Enough for customers to recognise themselves, and useless to others who have the link. */
export function maskedCustomerInfo(contact: Contact): CustomerInfo {
  const { pickupDay, pickupWindow, state } = customerInfoAnswer(contact);
  return { ...emptyContact, ...maskedContact(contact), phone: '', state, pickupDay, pickupWindow };
}

/** The first letter of each word of the name, of the email's two parts, and the end of the telephone number. */
export function maskedContact({ name, email, phone }: Pick<Contact, 'name' | 'email' | 'phone'>) {
  const [local = '', domain = ''] = email.split('@');
  return {
    name: name.replaceAll(/(?<=\S)\S/gu, '•'),
    email: `${local.slice(0, 1)}•••@${domain.slice(0, 1)}•••`,
    phone: `••••••${phone.slice(-4)}`,
  };
}

/** For display only: feet with at most two decimals. */
function decimalFeet(inches: number): number {
  return Math.round((inches * 100) / 12) / 100;
}
