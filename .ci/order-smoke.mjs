// One order through a running Kilim with the local Square, as a browser sends it: node .ci/order-smoke.mjs http://localhost:8080
// Prints the id of the order that was paid. Plain JavaScript without packages, so that any Node runs it anywhere.
import { strict as assert } from 'node:assert';

const [, , address] = process.argv;
assert(address, 'Say which address to order at.');

const order = {
  rugs: [
    {
      widthFeet: 8,
      widthInches: 0,
      lengthFeet: 10,
      lengthInches: 0,
      serviceTier: 'premium',
      stainProtection: true,
      mothProtection: false,
      repairInspection: false,
    },
  ],
  deliveryOption: 'pickup',
  customerInfo: {
    name: 'Ada Lovelace',
    email: 'ada.lovelace@example.com',
    phone: '3105550142',
    address: '12 Analytical Way',
    city: 'Los Angeles',
    state: 'CA',
    zipCode: '90025',
  },
};

const page = await fetch(address);
assert.equal(page.status, 200);
assert.match(await page.text(), /id="kilim"/, 'The order form is not there.');

const { orderId, totalAmount } = await send('/api/quote', order);
assert(totalAmount > 0, 'The quote has no total.');

const payment = {
  token: 'cnon:card-nonce-ok',
  amount: totalAmount,
  orderDetails: { ...order, orderId },
  idempotencyKey: crypto.randomUUID(),
};
const paid = await send('/api/process-payment', payment);
assert.deepEqual({ success: paid.success, orderId: paid.orderId }, { success: true, orderId });

// The same attempt once more, as after an answer that got lost: the same payment, and no second one.
assert.deepEqual(await send('/api/process-payment', payment), paid);

const receipt = await fetch(`${address}/api/orders/payment/${paid.paymentId}`);
assert.equal(receipt.status, 200);
const shown = (await receipt.json()).order;
assert.deepEqual({ id: shown._id, total: shown.totalCost }, { id: orderId, total: totalAmount });

process.stdout.write(`${orderId}\n`);

async function send(path, body) {
  const answer = await fetch(`${address}${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  const text = await answer.text();
  assert.equal(answer.status, 200, `${path} answered ${answer.status}: ${text}`);
  return JSON.parse(text);
}
