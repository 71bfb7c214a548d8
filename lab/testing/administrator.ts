import type { Role } from '@kilim/domain/people/permissions';
import type { Sql } from '../../bff/src/core/database/database.ts';
import { ensureFirstAdministrator } from '../../bff/src/people/sign-in/accounts.ts';
import { choosePassword } from '../../bff/src/people/use-case/choose-password.ts';
import { invitePerson } from '../../bff/src/people/use-case/manage-people.ts';
import { byOperator } from '../../bff/src/people/use-case/record-admin-events.ts';
import { ageSession } from './age-session.ts';
import { settled } from './settled.ts';
import type { Shop } from './shop.ts';

export type Credentials = { readonly username: string; readonly password: string };

export const ada = { username: 'ada', password: 'plover sandstone harbour 88' } as const;

/** Keeps cookies, and sends JSON as a page of the same origin. */
export type Browser = {
  /** A call for an export first waits until all events are settled. */
  readonly get: (path: string) => Promise<Response>;
  readonly post: (path: string, body: unknown, headers?: Record<string, string>) => Promise<Response>;
  readonly send: (path: string, init: RequestInit) => Promise<Response>;
  /** @returns the `token` of `POST /api/admin/login`. */
  readonly signIn: (password?: string) => Promise<string>;
  /** Since the session proved who its person is. */
  readonly age: (ownerSql: Sql, seconds: number) => Promise<void>;
  readonly cookies: ReadonlyMap<string, string>;
};

export async function makeAdministrator(sql: Sql): Promise<void> {
  await ensureFirstAdministrator(sql, { ...ada, production: false });
}

export async function makePerson(sql: Sql, { username, password }: Credentials, role: Role): Promise<void> {
  const world = { sql, now: () => new Date(), ownWords: () => [] };
  const made = await invitePerson(world, { username, displayName: `${username} ${role}`, role }, byOperator);
  if (!made.ok) throw new Error(made.rejection.code);
  const { token } = made.value;
  const chosen = await choosePassword(world, { token, password, displayName: undefined, requestId: 'made' });
  if (!chosen.ok) throw new Error(chosen.rejection.code);
}

export function openBrowser(shop: Shop, person: Credentials = ada): Browser {
  const cookies = new Map<string, string>();
  const send = async (path: string, init: RequestInit) => {
    const headers = new Headers(init.headers);
    headers.set('cookie', [...cookies].map(([name, value]) => `${name}=${value}`).join('; '));
    headers.set('sec-fetch-site', 'same-origin');
    const answer = await shop.request(path, { ...init, headers });
    for (const line of answer.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
      if (value === '' || /max-age=0/i.test(line)) cookies.delete(name);
      else cookies.set(name, value);
    }
    return answer;
  };
  const post: Browser['post'] = (path, body, headers = {}) =>
    send(path, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: JSON.stringify(body),
    });
  return {
    cookies,
    send,
    post,
    get: async (path) => {
      if (path.startsWith('/api/admin/ledger/')) await settled(shop.world.sql);
      return await send(path, { method: 'GET' });
    },
    age: async (ownerSql, seconds) => {
      cookies.set('kilim_admin', await ageSession(ownerSql, cookies.get('kilim_admin') ?? '', seconds));
    },
    signIn: async (password = person.password) => {
      const answer = await post('/api/admin/login', { username: person.username, password });
      const { token } = (await answer.json()) as { token?: string };
      if (token === undefined) throw new Error(`Not signed in: ${answer.status}`);
      return token;
    },
  };
}
