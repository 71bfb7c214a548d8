/** The party to which browsers bind passkeys. */
export type RelyingParty = {
  /** A host name: browsers offer a passkey only on pages of this host. */
  readonly id: string;
  /** The only origin whose pages may use the passkeys. */
  readonly origin: string;
};

/**
 * The relying party of the back office's address. Passkeys need a host name, so those of a loopback
 * address, as in development, belong to `localhost`.
 * @returns undefined for another IP address
 */
export function relyingPartyOf(officeUrl: string): RelyingParty | undefined {
  const url = new URL(officeUrl);
  if (url.hostname === '127.0.0.1' || url.hostname === '[::1]') url.hostname = 'localhost';
  const isIpAddress = /^[\d.]+$|^\[/.test(url.hostname);
  return isIpAddress ? undefined : { id: url.hostname, origin: url.origin };
}
