import type { Context } from 'hono';
import { deleteCookie, getCookie, setCookie } from 'hono/cookie';

/** Browsers send no cookie from another site and hide cookies from scripts. */
export type AdminCookies = {
  /** Valid until the browser is closed or the session ends. */
  readonly session: Cookie;
  /** Opens nothing. It marks a browser that signed in before: its attempts count apart from those of strangers. */
  readonly browser: Cookie;
  /** Marks a browser that gave the right password or asked for a passkey, until it is signed in. */
  readonly pending: Cookie;
};

export type Cookie = {
  readonly read: (c: Context) => string | undefined;
  readonly write: (c: Context, token: string) => void;
  readonly remove: (c: Context) => void;
};

const oneYearSeconds = 365 * 24 * 60 * 60;
/** As long as a sign-in may wait for its second factor. */
const fiveMinutesSeconds = 5 * 60;

export function adminCookies(options: { readonly secure: boolean }): AdminCookies {
  return {
    session: cookie('kilim_admin', { ...options, maxAge: undefined }),
    browser: cookie('kilim_browser', { ...options, maxAge: oneYearSeconds }),
    pending: cookie('kilim_sign_in', { ...options, maxAge: fiveMinutesSeconds }),
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

/** Not cookies: browsers clear those of the whole domain, with the shop's and the one that marks a known browser. */
export function clearStorage(c: Context): void {
  c.header('clear-site-data', '"storage"');
}
