import type { PaymentRequest } from '@kilim/bff/contract/order-request';
import type { PaymentAnswer } from '@kilim/bff/contract/payment';
import { dayIn } from '../../bff/src/core/runtime/day-in.ts';
import { signWebhook } from '../square/webhook-signature.ts';
import { ada, type Browser, openBrowser } from './administrator.ts';
import { paymentFor, quoted, type Shop, twoRugs } from './shop.ts';

/** By route (`GET /api/config`). Each can be made repeatedly. */
export type EveryCall = Readonly<Record<string, () => Promise<Response>>>;

export const callsWithoutDatabase: ReadonlySet<string> = new Set([
  'GET /healthz',
  'OPTIONS /healthz',
  'GET /metrics',
  'GET /.well-known/apple-developer-merchantid-domain-association',
  'GET /.well-known/security.txt',
  'POST /api/csp-reports',
  'GET /api/config',
  'GET /api/settings',
  // Without a limit of pickups, nothing is counted.
  'GET /api/pickup-days',
  'POST /api/quote',
  'POST /api/visits',
  // A challenge is sealed, not stored; and no sign-in waits for a second factor here.
  'POST /api/admin/login/passkey/options',
  'POST /api/admin/login/passkey',
  'POST /api/admin/login/code',
]);

/** Pays an order, so that each call finds its object. The admin `ada` must exist. */
export async function openEveryCall(shop: Shop): Promise<EveryCall> {
  const admin = openBrowser(shop);
  const proof = await admin.signIn();
  // Calls that end a session use a second session.
  const leaving = openBrowser(shop);
  await leaving.signIn();
  const payment = paymentFor(await quoted(shop));
  const paid = (await (await shop.post('/api/process-payment', payment)).json()) as PaymentAnswer;
  const { secure_url: image } = (await (await upload(admin)).json()) as { secure_url: string };
  const settings = (await (await admin.get('/api/admin/settings')).json()) as { version: number };
  const books = (await (await admin.get('/api/admin/books')).json()) as Record<string, unknown>;
  const known: Known = {
    payment,
    paymentId: paid.success ? paid.paymentId : 'not paid',
    unpaid: paymentFor(await quoted(shop)),
    image,
    settingsVersion: settings.version,
    books,
  };
  return {
    ...customerCalls(shop, known),
    ...sessionCalls(shop, { admin, leaving, proof }),
    ...backOfficeCalls(admin, known),
  };
}

type Known = {
  readonly payment: PaymentRequest;
  readonly paymentId: string;
  readonly unpaid: PaymentRequest;
  readonly image: string;
  readonly settingsVersion: number;
  readonly books: unknown;
};

function customerCalls(shop: Shop, { payment, paymentId, unpaid, image }: Known): EveryCall {
  const { orderId } = payment.orderDetails;
  return {
    'GET /healthz': () => shop.get('/healthz'),
    'OPTIONS /healthz': () => shop.request('/healthz', { method: 'OPTIONS' }),
    'GET /readyz': () => shop.get('/readyz'),
    'OPTIONS /readyz': () => shop.request('/readyz', { method: 'OPTIONS' }),
    'GET /metrics': () => shop.get('/metrics', { authorization: `Bearer ${metricsToken}` }),
    'GET /.well-known/apple-developer-merchantid-domain-association': () =>
      shop.get('/.well-known/apple-developer-merchantid-domain-association'),
    'GET /.well-known/security.txt': () => shop.get('/.well-known/security.txt'),
    'POST /api/csp-reports': () => shop.post('/api/csp-reports', { 'csp-report': {} }),
    'GET /images/:name': () => shop.get(image),
    'GET /api/differences/:id': () => shop.get(`/api/differences/${orderId}`),
    'POST /api/differences/:id/pay': () => shop.post(`/api/differences/${orderId}/pay`, payment),
    'GET /api/config': () => shop.get('/api/config'),
    'GET /api/settings': () => shop.get('/api/settings'),
    'GET /api/pickup-days': () => shop.get('/api/pickup-days'),
    'POST /api/visits': () => shop.post('/api/visits', { page: '/', isPhone: true, largestPaintMs: 812 }),
    'POST /api/quote': () => shop.post('/api/quote', twoRugs),
    'POST /api/process-payment': () => shop.post('/api/process-payment', unpaid),
    'GET /api/payment-attempts/:key': () => shop.get(`/api/payment-attempts/${payment.idempotencyKey}`),
    'GET /api/orders/payment/:paymentId/calendar': () => shop.get(`/api/orders/payment/${paymentId}/calendar`),
    'GET /api/orders/payment/:paymentId': () => shop.get(`/api/orders/payment/${paymentId}`),
    'POST /api/save-order': () => shop.post('/api/save-order', { order: { orderId }, paymentId }),
    'GET /api/verify-payment/:paymentId': () => shop.get(`/api/verify-payment/${paymentId}`),
    'POST /api/webhooks/square': () => deliver(shop, paymentId),
  };
}

type Browsers = { readonly admin: Browser; readonly leaving: Browser; readonly proof: string };

function sessionCalls(shop: Shop, { admin, leaving, proof }: Browsers): EveryCall {
  const credentials = { username: ada.username, password: ada.password };
  return {
    'POST /api/admin/login': () => openBrowser(shop).post('/api/admin/login', credentials),
    'POST /api/admin/reauthenticate': () => leaving.post('/api/admin/reauthenticate', credentials),
    'POST /api/admin/logout': () => leaving.post('/api/admin/logout', {}),
    'GET /api/admin/session': () => admin.get('/api/admin/session'),
    'GET /api/admin/security-log': () => admin.get('/api/admin/security-log'),
    'GET /api/admin/sessions': () => admin.get('/api/admin/sessions'),
    'DELETE /api/admin/sessions/:id': () => remove(leaving, `/api/admin/sessions/${crypto.randomUUID()}`),
    'DELETE /api/admin/sessions': () => remove(leaving, '/api/admin/sessions'),
    'POST /api/admin/set-password': () =>
      admin.post('/api/admin/set-password', credentials, { authorization: `Bearer ${proof}` }),
    'POST /api/admin/login/code': () => leaving.post('/api/admin/login/code', { code: '123456' }),
    'POST /api/admin/login/passkey/options': () => openBrowser(shop).post('/api/admin/login/passkey/options', {}),
    'POST /api/admin/login/passkey': () => leaving.post('/api/admin/login/passkey', noPasskey),
    'POST /api/admin/reauthenticate/passkey/options': () => admin.post('/api/admin/reauthenticate/passkey/options', {}),
    'POST /api/admin/reauthenticate/passkey': () => admin.post('/api/admin/reauthenticate/passkey', noPasskey),
    'GET /api/admin/second-factor': () => admin.get('/api/admin/second-factor'),
    'POST /api/admin/second-factor/passkeys/options': () => admin.post('/api/admin/second-factor/passkeys/options', {}),
    'POST /api/admin/second-factor/passkeys': () =>
      admin.post('/api/admin/second-factor/passkeys', { name: 'Laptop', credential: noPasskey }),
    'POST /api/admin/second-factor/one-time-code/secret': () =>
      admin.post('/api/admin/second-factor/one-time-code/secret', {}),
    'POST /api/admin/second-factor/one-time-code': () =>
      admin.post('/api/admin/second-factor/one-time-code', { name: 'Phone', code: 'wrong' }),
    'POST /api/admin/second-factor/recovery-codes': () => admin.post('/api/admin/second-factor/recovery-codes', {}),
    'POST /api/admin/second-factor/:id/name': () =>
      admin.post(`/api/admin/second-factor/${crypto.randomUUID()}/name`, { name: 'Phone' }),
    'DELETE /api/admin/second-factor/:id': () => remove(admin, `/api/admin/second-factor/${crypto.randomUUID()}`),
    'POST /api/admin/password-strength': () => admin.post('/api/admin/password-strength', credentials),
  };
}

function peopleCalls(admin: Browser): EveryCall {
  const token = 'A'.repeat(43);
  const password = 'a violet teapot on mars';
  return {
    'POST /api/admin/account/name': () => admin.post('/api/admin/account/name', { displayName: 'Ada' }),
    'GET /api/admin/account/email': () => admin.get('/api/admin/account/email'),
    'POST /api/admin/account/email': () => admin.post('/api/admin/account/email', { email: null }),
    'POST /api/admin/password-link': () => admin.post('/api/admin/password-link', { token }),
    'POST /api/admin/password-link/use': () => admin.post('/api/admin/password-link/use', { token, password }),
    'GET /api/admin/first-day': () => admin.get('/api/admin/first-day'),
    'POST /api/admin/first-day/mail': () => admin.post('/api/admin/first-day/mail', {}),
    'GET /api/admin/people': () => admin.get('/api/admin/people'),
    'GET /api/admin/people/names': () => admin.get('/api/admin/people/names'),
    'POST /api/admin/people': () =>
      admin.post('/api/admin/people', { username: crypto.randomUUID(), displayName: 'Ben', role: 'clerk' }),
    'POST /api/admin/people/:username/link': () => admin.post('/api/admin/people/eve/link', {}),
    'POST /api/admin/people/:username/role': () => admin.post('/api/admin/people/eve/role', { role: 'clerk' }),
    'POST /api/admin/people/:username/disable': () => admin.post('/api/admin/people/eve/disable', {}),
    'POST /api/admin/people/:username/reset-second-factor': () =>
      admin.post('/api/admin/people/eve/reset-second-factor', {}),
    'POST /api/admin/people/:username/enable': () => admin.post('/api/admin/people/eve/enable', {}),
  };
}

const noPasskey = {
  id: 'AAAAAAAAAAAAAAAAAAAAAA',
  rawId: 'AAAAAAAAAAAAAAAAAAAAAA',
  type: 'public-key',
  response: { clientDataJSON: 'e30', authenticatorData: '', signature: '', attestationObject: '' },
};

const noSuchMail = { kind: 'new-order', about: 'no-such-order' };

function intakeCalls(admin: Browser, path: string): EveryCall {
  const sizes = [
    { width: 96, length: 120 },
    { width: 66, length: 72 },
  ];
  return {
    'GET /api/admin/orders/:id/pickup-days': () => admin.get(`${path}/pickup-days`),
    'POST /api/admin/orders/:id/pickup': () => admin.post(`${path}/pickup`, { day: '2099-01-01', window: 'morning' }),
    'GET /api/admin/orders/:id/intake': () => admin.get(`${path}/intake`),
    'POST /api/admin/orders/:id/intake': () => admin.post(`${path}/intake`, { step: 'receive', sizes }),
    'POST /api/admin/orders/:id/intake/refund': () =>
      admin.post(`${path}/intake/refund`, { measurement: 1, amount: 1 }),
  };
}

function backOfficeCalls(admin: Browser, { payment, paymentId, image, settingsVersion, books }: Known): EveryCall {
  const { orderId } = payment.orderDetails;
  const days = 'from=2026-11-01&to=2026-11-30';
  return {
    ...peopleCalls(admin),
    ...ledgerCalls(admin, days),
    'GET /api/admin/settings': () => admin.get('/api/admin/settings'),
    'POST /api/admin/settings': () =>
      admin.post('/api/admin/settings', { version: settingsVersion, addOnImages: { pad: image } }),
    'GET /api/admin/settings/history': () => admin.get('/api/admin/settings/history'),
    'POST /api/admin/images': () => upload(admin),
    'GET /api/admin/orders': () => admin.get('/api/admin/orders'),
    'GET /api/admin/orders/:id': () => admin.get(`/api/admin/orders/${orderId}`),
    ...intakeCalls(admin, `/api/admin/orders/${orderId}`),
    'POST /api/admin/orders/:id/erase-contact': () => admin.post(`/api/admin/orders/${orderId}/erase-contact`, {}),
    'GET /api/admin/orders.csv': () => admin.get('/api/admin/orders.csv'),
    'GET /api/admin/orders/:id/refunds': () => admin.get(`/api/admin/orders/${orderId}/refunds`),
    'GET /api/admin/refunds': () => admin.get('/api/admin/refunds'),
    'GET /api/admin/refund-allowance': () => admin.get('/api/admin/refund-allowance'),
    'POST /api/admin/orders/:id/split-corrections': () =>
      admin.post(`/api/admin/orders/${orderId}/split-corrections`, { refundId: 'a', reason: 'Chosen by mistake' }),
    'POST /api/admin/orders/:id/reimbursements': () =>
      admin.post(`/api/admin/orders/${orderId}/reimbursements`, { ...reimbursement, paidOn: dayIn('UTC', new Date()) }),
    'POST /api/admin/orders/:id/notes': () => admin.post(`/api/admin/orders/${orderId}/notes`, { text: 'A note' }),
    'DELETE /api/admin/orders/:id/notes/:note': () => remove(admin, `/api/admin/orders/${orderId}/notes/0`),
    'POST /api/admin/refund': () => admin.post('/api/admin/refund', refundOf(paymentId)),
    'GET /api/admin/attention': () => admin.get('/api/admin/attention'),
    'POST /api/admin/mails/send': () => admin.post('/api/admin/mails/send', noSuchMail),
    'POST /api/admin/mails/drop': () => admin.post('/api/admin/mails/drop', noSuchMail),
    'POST /api/admin/attention/retry': () => admin.post('/api/admin/attention/retry', { id: 'no-such-work' }),
    'GET /api/admin/changes': () => admin.get('/api/admin/changes'),
    'GET /api/admin/today': () => admin.get('/api/admin/today'),
    'GET /api/admin/statistics': () => admin.get(`/api/admin/statistics?${days}`),
    'GET /api/admin/export-tokens': () => admin.get('/api/admin/export-tokens'),
    'POST /api/admin/export-tokens': () => admin.post('/api/admin/export-tokens', { name: 'Nightly' }),
    'DELETE /api/admin/export-tokens/:id': () => remove(admin, `/api/admin/export-tokens/${crypto.randomUUID()}`),
    'GET /api/admin/books': () => admin.get('/api/admin/books'),
    'POST /api/admin/books/close': () => admin.post('/api/admin/books/close', { through: '2026-01-31' }),
    'GET /api/admin/books/checklist': () => admin.get('/api/admin/books/checklist?through=2026-01-31'),
    'GET /api/admin/books/closings/:version/certificate': () => admin.get('/api/admin/books/closings/1/certificate'),
    'POST /api/admin/books/reopen': () => admin.post('/api/admin/books/reopen', { closing: 1, reason: 'wrong-day' }),
    'POST /api/admin/books/accounts': () => admin.post('/api/admin/books/accounts', books),
    'GET /api/admin/books/glance': () => admin.get('/api/admin/books/glance'),
    'GET /api/admin/payouts': () => admin.get('/api/admin/payouts'),
    'GET /api/admin/payouts/:id': () => admin.get('/api/admin/payouts/po-1'),
    'POST /api/admin/books/comparison': () => admin.post('/api/admin/books/comparison', {}),
    'POST /api/admin/books/check': () => admin.post('/api/admin/books/check', {}),
    'POST /api/admin/books/differences/explain': () =>
      admin.post('/api/admin/books/differences/explain', { code: 'A', squareId: 'a', reason: 'TooSmall' }),
    'POST /api/admin/books/differences/assign': () =>
      admin.post('/api/admin/books/differences/assign', { squareId: 'a', orderId, reason: 'TooSmall' }),
    'POST /api/admin/books/differences/write-off': () =>
      admin.post('/api/admin/books/differences/write-off', { squareId: 'a', reason: 'TooSmall' }),
    'POST /api/admin/books/clearing/write-off': () =>
      admin.post('/api/admin/books/clearing/write-off', { squareId: 'a', reason: 'TooSmall' }),
    'POST /api/admin/books/resolutions/:version/undo': () => admin.post('/api/admin/books/resolutions/1/undo', {}),
    'POST /api/admin/books/differences/refund': () =>
      admin.post('/api/admin/books/differences/refund', { squareId: 'a', reason: 'TestPayment' }),
    'GET /api/admin/no-such-call': () => admin.get('/api/admin/no-such-call'),
  };
}

/** `admin.get` waits for settled events: the database may be away. */
function ledgerCalls(admin: Browser, days: string): EveryCall {
  const get = (what: string) => admin.send(`/api/admin/ledger/${what}`, { method: 'GET' });
  return {
    'GET /api/admin/ledger/export': () => get(`export?format=csv&${days}`),
    'GET /api/admin/ledger/note': () => get('note'),
    'GET /api/admin/ledger/report': () => get(`report?report=trial-balance&${days}`),
    'GET /api/admin/ledger/contents': () => get(`contents?${days}`),
    'GET /api/admin/month-mails': () => admin.get('/api/admin/month-mails'),
    'POST /api/admin/month-mails': () =>
      admin.post('/api/admin/month-mails', { month: '2026-10', program: 'quickbooks' }),
  };
}

export const metricsToken = 'a token for metrics';

const onePixel = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);

function upload(browser: Browser): Promise<Response> {
  const form = new FormData();
  form.set('file', new Blob([onePixel], { type: 'image/png' }), 'pixel.png');
  form.set('upload_preset', 'any');
  return browser.send('/api/admin/images', { method: 'POST', body: form });
}

function remove(browser: Browser, path: string): Promise<Response> {
  return browser.send(path, { method: 'DELETE', headers: { 'content-type': 'application/json' } });
}

const reimbursement = {
  amount: 0.01,
  method: 'cash',
  reference: 'R-1',
  reason: 'Goodwill',
  idempotencyKey: 'every-call-reimbursement',
};

function refundOf(paymentId: string) {
  const idempotencyKey = crypto.randomUUID();
  return { paymentId, amount: 0.01, reason: 'Goodwill', refundType: 'partial', idempotencyKey };
}

function deliver(shop: Shop, squareId: string): Promise<Response> {
  const event = { event_id: crypto.randomUUID(), type: 'payment.updated', merchant_id: 'MSIM' };
  const body = JSON.stringify({
    ...event,
    data: { type: 'payment', id: squareId, object: { payment: { id: squareId } } },
  });
  return shop.post('/api/webhooks/square', body, {
    'x-square-hmacsha256-signature': signWebhook({ ...shop.webhooks, body }),
  });
}
