import type { Context } from 'hono';
import { deleteCookie, getCookie, setCookie } from 'hono/cookie';

/** The two cookies of the back office. Neither is ever sent from another site, nor readable by a script. */
export type AdminCookies = {
  /** Opens the back office, until the browser is closed or the session ends. */
  readonly session: Cookie;
  /** Opens nothing: says that somebody signed in here before, and makes their attempts count apart from those of strangers. */
  readonly browser: Cookie;
};

export type Cookie = {
  readonly read: (c: Context) => string | undefined;
  readonly write: (c: Context, token: string) => void;
  readonly remove: (c: Context) => void;
};

const oneYearSeconds = 365 * 24 * 60 * 60;

export function adminCookies(options: { readonly secure: boolean }): AdminCookies {
  return {
    session: cookie('kilim_admin', { ...options, maxAge: undefined }),
    browser: cookie('kilim_browser', { ...options, maxAge: oneYearSeconds }),
  };
}

type CookieOptions = { readonly secure: boolean; readonly maxAge: number | undefined };

function cookie(plainName: string, { secure, maxAge }: CookieOptions): Cookie {
  // The prefix makes the browser refuse one that another host or an unencrypted page tries to plant.
  const name = secure ? `__Host-${plainName}` : plainName;
  const attributes = { httpOnly: true, sameSite: 'Strict' as const, path: '/', secure };
  return {
    read: (c) => getCookie(c, name),
    write: (c, token) => setCookie(c, name, token, maxAge === undefined ? attributes : { ...attributes, maxAge }),
    remove: (c) => deleteCookie(c, name, attributes),
  };
}
