import { cents, formatDollars } from '@kilim/domain/money';
import { html } from 'hono/html';
import { fieldTriggers, type TestCard, testCards } from './test-cards.ts';
import type { WirePayment } from './wire.ts';

type Html = ReturnType<typeof html>;

const style = html`<style>
  body { margin: 0 auto; max-width: 60rem; padding: 1.5rem 1rem 4rem; background: #fbf7f0; color: #211a14; font: 1rem/1.5 system-ui, sans-serif; }
  .notice { border: 2px solid #a3341f; border-radius: 10px; padding: 0.75rem 1rem; background: #fff; font-weight: 600; }
  .table { overflow-x: auto; }
  table { border-collapse: collapse; width: 100%; background: #fff; }
  th, td { border-bottom: 1px solid #d9cfc1; padding: 0.5rem 0.75rem; text-align: left; vertical-align: top; }
  td:first-child { font-family: ui-monospace, monospace; white-space: nowrap; }
  code { font-family: ui-monospace, monospace; overflow-wrap: anywhere; }
  caption { text-align: left; padding: 0.5rem 0; }
</style>`;

function page(title: string, content: Html): Html {
  return html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <title>${title}</title>
        ${style}
      </head>
      <body>
        ${content}
      </body>
    </html>`;
}

export function indexPage(): Html {
  const known = testCards.filter((card) => card.inSandbox);
  const invented = testCards.filter((card) => !card.inSandbox);
  return page(
    'Local test Square',
    html`<main>
      <h1>Local test Square</h1>
      <p class="notice">This is a test server on this machine. It takes test cards only and moves no money.</p>
      <p>It speaks the part of Square's API that this project uses. Take any CVV, any future expiration date and any
        postal code of five digits, except those listed below.</p>
      ${cardTable('Card numbers that Square’s own sandbox takes too', known)}
      ${cardTable('Card numbers that exist only here, to see things go wrong', invented)}
      ${triggerTable()}
      <h2>Wallets</h2>
      <p>
        Add <code>?test-wallets=google,apple</code> to the shop's address and load it again: the tab then offers a pretended Google
        Pay and Apple Pay.
      </p>
      <h2>For tests</h2>
      <p>
        <code>GET /__sim/payments</code>, <code>/__sim/refunds</code>, <code>/__sim/events</code> and
        <code>/__sim/requests</code> show everything. <code>POST /__sim/faults</code> lets the next request go wrong,
        for example <code>{"path":"/v2/payments","kind":"hang-after"}</code>.
      </p>
    </main>`,
  );
}

function cardTable(caption: string, cards: readonly TestCard[]): Html {
  return html`<div class="table" role="region" aria-label="${caption}" tabindex="0">
    <table>
      <caption>${caption}</caption>
      <thead><tr><th scope="col">Number</th><th scope="col">Brand</th><th scope="col">What happens</th></tr></thead>
      <tbody>
        ${cards.map(
          ({ number, brand, summary }) =>
            html`<tr><td>${inGroups(number)}</td><td>${brand}</td><td>${summary}</td></tr>`,
        )}
      </tbody>
    </table>
  </div>`;
}

function triggerTable(): Html {
  const labels = { cvv: 'CVV', postalCode: 'Postal code', expirationDate: 'Expiration date' } as const;
  return html`<div class="table" role="region" aria-label="Other entries" tabindex="0">
    <table>
      <caption>Entries that have a good card declined</caption>
      <thead><tr><th scope="col">Entry</th><th scope="col">Field</th><th scope="col">What happens</th></tr></thead>
      <tbody>
        ${fieldTriggers.map(
          ({ field, value, summary }) => html`<tr><td>${value}</td><td>${labels[field]}</td><td>${summary}</td></tr>`,
        )}
      </tbody>
    </table>
  </div>`;
}

function inGroups(number: string): string {
  return number.replaceAll(/(\d{4})(?=\d)/g, '$1 ');
}

/** Replaces the receipt that Square would show. */
export function receiptPage(payment: WirePayment): Html {
  const { card } = payment.card_details;
  return page(
    'Test receipt',
    html`<main>
      <h1>Test receipt ${payment.receipt_number}</h1>
      <p class="notice">This is a test: no money was moved.</p>
      <p>${formatDollars(cents(payment.amount_money.amount))} with ${card.card_brand} ending in ${card.last_4}.</p>
      <p>Reference ${payment.reference_id ?? 'none'}, ${payment.created_at}</p>
    </main>`,
  );
}
