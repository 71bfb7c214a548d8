export type RelyingParty = {
  /** A host name: browsers offer a passkey only on pages of this host. */
  readonly id: string;
  /** Pages of no other origin may use the passkeys. */
  readonly origin: string;
};

/**
 * Passkeys need a host name, so those of a loopback address, as in development, belong to `localhost`.
 * @returns undefined for another IP address
 */
export function relyingPartyOf(officeUrl: string): RelyingParty | undefined {
  const url = new URL(officeUrl);
  if (url.hostname === '127.0.0.1' || url.hostname === '[::1]') url.hostname = 'localhost';
  const isIpAddress = /^[\d.]+$|^\[/.test(url.hostname);
  return isIpAddress ? undefined : { id: url.hostname, origin: url.origin };
}
