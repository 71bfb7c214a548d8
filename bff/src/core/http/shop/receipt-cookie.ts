import { randomBytes, timingSafeEqual } from 'node:crypto';
import type { Context } from 'hono';
import { getCookie, setCookie } from 'hono/cookie';
import { sha256 } from '../../ledger/hash.ts';

/**
 * The database stores only the cookie's SHA-256. In a frame the cookie is of a third party, so over https it is
 * partitioned. Without it the receipt shows the contact masked.
 */
export type ReceiptCookie = {
  /** A browser without a token gets one. */
  readonly issue: (c: Context) => Uint8Array;
  readonly holds: (c: Context, tokenHash: Uint8Array) => boolean;
};

const thirtyDaysSeconds = 30 * 24 * 60 * 60;

export function receiptCookie(options: { readonly secure: boolean }): ReceiptCookie {
  const name = options.secure ? '__Host-kilim_receipt' : 'kilim_receipt';
  const tokenOf = (c: Context) => {
    const token = getCookie(c, name);
    return token !== undefined && /^[A-Za-z0-9_-]{43}$/.test(token) ? token : undefined;
  };
  return {
    issue: (c) => {
      const token = tokenOf(c) ?? randomBytes(32).toString('base64url');
      setCookie(c, name, token, {
        httpOnly: true,
        path: '/',
        maxAge: thirtyDaysSeconds,
        ...(options.secure
          ? { secure: true, sameSite: 'None' as const, partitioned: true }
          : { sameSite: 'Lax' as const }),
      });
      return sha256(token);
    },
    holds: (c, tokenHash) => {
      const token = tokenOf(c);
      return token !== undefined && timingSafeEqual(sha256(token), tokenHash);
    },
  };
}
