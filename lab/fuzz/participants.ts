import { setTimeout } from 'node:timers/promises';
import type { PaymentAnswer } from '@kilim/bff/contract/payment';
import type { QuoteAnswer } from '@kilim/bff/contract/quote';
import type { Session } from '@kilim/bff/contract/session';
import type { Sql } from '../../bff/src/core/database/database.ts';
import { makePerson } from '../testing/administrator.ts';
import type { ChildServer } from '../testing/child-server.ts';
import { paymentFor, twoRugs } from '../testing/shop.ts';
import { cookiesOf } from '../testing/sign-in.ts';
import type { Sender } from './requests.ts';

/** Requests may end their sessions, disable them or change their passwords. */
export type Participants = {
  readonly headersOf: (sender: Sender) => Promise<readonly (readonly [string, string])[]>;
  /** The session may have ended: it is looked at before the next request. */
  readonly doubt: (sender: Sender) => void;
  readonly known: Readonly<Record<string, readonly unknown[]>>;
};

export const ownerPassword = 'a Tabriz on the loom, 1911';

/** An owner, a clerk, an accountant, and a paid order, so that requests find something. */
export async function openParticipants(server: ChildServer, sql: Sql): Promise<Participants> {
  const office = openOffice(server, sql);
  const owner = await office.cookieOf('owner');
  const call = async (path: string, body?: unknown) => {
    const headers = { 'content-type': 'application/json', 'sec-fetch-site': 'same-origin', cookie: owner };
    const init = body === undefined ? { headers } : { headers, method: 'POST', body: JSON.stringify(body) };
    return (await fetch(`${path.startsWith('/api/admin') ? server.officeUrl : server.url}${path}`, init)).json();
  };
  const request = paymentFor((await call('/api/quote', twoRugs)) as QuoteAnswer);
  const paid = (await call('/api/process-payment', request)) as PaymentAnswer;
  if (!paid.success) throw new Error('The first order was not paid');
  const made = (await call('/api/admin/export-tokens', { name: 'Nightly' })) as { readonly token?: string };
  const sessions = (await call('/api/admin/sessions')) as readonly { readonly id: string }[];
  const { token = '' } = made;
  return {
    headersOf: async (sender) => {
      if (sender === 'stranger') return [];
      return sender === 'token' ? [['authorization', `Bearer ${token}`]] : [['cookie', await office.cookieOf(sender)]];
    },
    doubt: office.doubt,
    known: {
      id: [paid.orderId, sessions[0]?.id, crypto.randomUUID()],
      orderId: [paid.orderId, crypto.randomUUID()],
      paymentId: [paid.paymentId],
      key: [request.idempotencyKey],
      idempotencyKey: [request.idempotencyKey, crypto.randomUUID()],
      token: [request.token, 'A'.repeat(43)],
      username: ['admin', 'nobody', 'constructor'],
      password: [ownerPassword],
      from: ['2026-01-01', '2026-11-30'],
      to: ['2026-11-30', '2030-01-01'],
      through: ['2020-01-31'],
      version: [0, 1],
      amount: [0.01, request.amount],
      code: ['123456'],
    },
  };
}

/** For the limit of sign-ins. Later another person takes the place. */
const longestWaitSeconds = 3;

/** A new person can sign in, unless another request was faster. */
const mostTries = 5;

function openOffice({ officeUrl }: ChildServer, sql: Sql) {
  const cookies = new Map<Sender, Promise<string>>();
  let made = 0;
  const signIn = async (username: string, password: string): Promise<string | undefined> => {
    const answer = await fetch(`${officeUrl}/api/admin/login`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'sec-fetch-site': 'same-origin' },
      body: JSON.stringify({ username, password }),
    });
    const seconds = Number(answer.headers.get('retry-after'));
    if (answer.status === 429 && seconds <= longestWaitSeconds) {
      await setTimeout(seconds * 1000);
      return signIn(username, password);
    }
    return answer.status === 200 ? cookiesOf(answer) : undefined;
  };
  const isFit = async (sender: Sender, cookie: string) => {
    const answer = await fetch(`${officeUrl}/api/admin/session`, { headers: { cookie } });
    if (!answer.ok) return false;
    const { role, isRecent, mustChangePassword } = (await answer.json()) as Session;
    return role === sender && isRecent && !mustChangePassword;
  };
  const people = new Map<Sender, { readonly username: string; readonly password: string }>([
    ['owner', { username: 'admin', password: ownerPassword }],
  ]);
  const open = async (sender: Sender, tries = 1): Promise<string> => {
    const known = people.get(sender);
    const cookie = known && (await signIn(known.username, known.password));
    if (cookie !== undefined && (await isFit(sender, cookie))) return cookie;
    // A request disabled or changed the person: another one takes the place.
    if (tries === mostTries) throw new Error(`The ${sender} cannot sign in`);
    made += 1;
    const person = { username: `fuzz-${made}-${process.pid}`, password: `a copper kettle ${made} on the hob` };
    await makePerson(sql, person, sender === 'clerk' || sender === 'accountant' ? sender : 'owner');
    people.set(sender, person);
    return open(sender, tries + 1);
  };
  const renew = async (sender: Sender, cookie: string) => ((await isFit(sender, cookie)) ? cookie : await open(sender));
  const doubted = new Set<Sender>();
  return {
    cookieOf: (sender: Sender) => {
      const kept = cookies.get(sender);
      const cookie = kept ?? open(sender);
      const renewed = doubted.delete(sender) ? cookie.then((known) => renew(sender, known)) : cookie;
      cookies.set(sender, renewed);
      return renewed;
    },
    doubt: (sender: Sender) => void doubted.add(sender),
  };
}
