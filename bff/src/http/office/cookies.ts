import type { Context } from 'hono';
import { deleteCookie, getCookie, setCookie } from 'hono/cookie';

/** The two cookies of the back office. Browsers send neither from another site and hide both from scripts. */
export type AdminCookies = {
  /** Opens the back office, until the browser is closed or the session ends. */
  readonly session: Cookie;
  /** Opens nothing. It marks a browser that signed in before, so its attempts count apart from those of strangers. */
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
  // The prefix makes the browser refuse a cookie that another host or an unencrypted page tries to plant.
  const name = secure ? `__Host-${plainName}` : plainName;
  const attributes = { httpOnly: true, sameSite: 'Strict' as const, path: '/', secure };
  return {
    read: (c) => getCookie(c, name),
    write: (c, token) => setCookie(c, name, token, maxAge === undefined ? attributes : { ...attributes, maxAge }),
    remove: (c) => deleteCookie(c, name, attributes),
  };
}
