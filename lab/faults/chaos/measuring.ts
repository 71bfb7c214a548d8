import { setTimeout } from 'node:timers/promises';
import { type Intake, intake } from '@kilim/bff/contract/intake';
import type { IntakeRequest } from '@kilim/bff/contract/intake-request';
import type { PaymentAnswer } from '@kilim/bff/contract/payment';
import { decimalDollars } from '@kilim/domain/money';
import { addressOf } from '../../testing/child-server.ts';
import { type Refunding, signsInAgain } from './administrator.ts';
import { mint, type Paid, post, readJson } from './customer.ts';
import type { MeasurePlan } from './plan.ts';

type Measuring = Refunding & { readonly paid: Paid; readonly plan: MeasurePlan };
type Answered = { readonly status: number; readonly body: unknown };

/** The rugs of every order. */
const ordered = [
  { width: 96, length: 120 },
  { width: 66, length: 84 },
];

/**
 * Two clerks measure the rugs and press what the page offers, and the customer pays on several phones, until nothing is
 * due.
 * @returns false when it got stuck.
 */
export async function measure(measuring: Measuring): Promise<boolean> {
  const { plan, deadline } = measuring;
  let measuresAgain = plan.measuresAgain;
  let last: Intake | undefined;
  while (Date.now() < deadline()) {
    const seen = await look(measuring);
    last = seen ?? last;
    if (seen === undefined) await setTimeout(100);
    else if (seen.measurement === null) await receive(measuring, plan.changedInches);
    else if (isSettled(seen)) return true;
    else {
      const again = measuresAgain && seen.request !== null ? [receive(measuring, 0)] : [];
      if (again.length > 0) measuresAgain = false;
      await Promise.all([settle(measuring, seen), ...again]);
    }
  }
  measuring.complaints.push(`the rugs of ${measuring.paid.orderId} are not settled: ${JSON.stringify(last)}`);
  return false;
}

function isSettled({ measurement }: Intake): boolean {
  return measurement === null || measurement.due === 0 || (measurement.due < 0 && measurement.refund === null);
}

async function look(measuring: Measuring): Promise<Intake | undefined> {
  const answered = await asAdministrator(measuring, 'GET', '');
  return answered?.status === 200 ? intake.parse(answered.body) : undefined;
}

async function receive(measuring: Measuring, inches: number): Promise<void> {
  const sizes = ordered.map(({ width, length }) => ({ width: width + inches, length }));
  await press(measuring, '', { step: 'receive', sizes });
}

async function settle(measuring: Measuring, { measurement, request }: Intake): Promise<void> {
  const { plan, paid } = measuring;
  if (measurement === null) return;
  const { number, due, refund } = measurement;
  const times = (count: number, act: () => Promise<unknown>) => Promise.all(Array.from({ length: count }, act));
  if (due < 0 && refund !== null) {
    const body = { measurement: number, amount: decimalDollars(refund) };
    await times(plan.clicks, () => press(measuring, '/refund', body));
  } else if (request === null) {
    const body: IntakeRequest = { step: 'ask', measurement: number, amount: decimalDollars(due) };
    await times(plan.clicks, () => press(measuring, '', body));
  } else {
    const id = request.url.split('/').at(-1) ?? paid.orderId;
    const amount = decimalDollars(request.amount);
    const inShop: IntakeRequest = { step: 'paid', amount, method: 'cash' };
    await Promise.all([
      times(plan.phones, () => payOn(measuring, id, amount)),
      ...(plan.paysInShop ? [times(plan.clicks, () => press(measuring, '', inShop))] : []),
    ]);
    await setTimeout(100);
  }
}

/** 404 and 409: somebody measured again, or paid on another phone. */
const expected = new Set([200, 202, 402, 404, 409, 503]);

async function payOn({ stage, complaints }: Measuring, id: string, amount: string): Promise<void> {
  const [server] = stage.servers();
  if (server === undefined) return;
  const key = crypto.randomUUID();
  const request = { token: mint('ok'), amount, idempotencyKey: key };
  const answered = await readJson(stage, post(server, `/api/differences/${id}/pay`, request));
  if (answered === undefined) return;
  const body = answered.body as PaymentAnswer;
  if (answered.status === 402) stage.told.push({ key, outcome: 'not-charged' });
  if (!expected.has(answered.status)) {
    complaints.push(`a difference was answered ${answered.status} ${JSON.stringify(body)}`);
  }
}

async function press(measuring: Measuring, path: string, body: unknown): Promise<void> {
  const answered = await asAdministrator(measuring, 'POST', path, body);
  if (answered === undefined || [200, 401, 403, 409, 503].includes(answered.status)) return;
  measuring.complaints.push(`a step of the shop was answered ${answered.status} ${JSON.stringify(answered.body)}`);
}

async function asAdministrator(
  measuring: Measuring,
  method: 'GET' | 'POST',
  ...[path, body]: readonly [path: string, body?: unknown]
): Promise<Answered | undefined> {
  const { stage, admin, paid } = measuring;
  const alive = stage.servers();
  const server = alive[Math.floor(Math.random() * alive.length)];
  if (server === undefined) return undefined;
  const asking = fetch(addressOf(server, `/api/admin/orders/${paid.orderId}/intake${path}`), {
    method,
    headers: { cookie: admin.cookie, ...(body === undefined ? {} : { 'content-type': 'application/json' }) },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const answered = await readJson(stage, asking);
  await signsInAgain(measuring, [answered]);
  return answered;
}
