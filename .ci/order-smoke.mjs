// Sends one order to a running Kilim with the local Square, as a browser does, and prints the id of the paid order:
//   node .ci/order-smoke.mjs http://localhost:8080
// It is plain JavaScript without packages, so that every Node runs it.
import { strict as assert } from 'node:assert';

const [, , address] = process.argv;
assert(address, 'The address of the server is missing.');

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
assert.match(await page.text(), /id="kilim"/, 'The page has no order form.');

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

// The same attempt again, as after a lost answer, is answered with the same payment.
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
