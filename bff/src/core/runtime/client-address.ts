import { isIP, isIPv4 } from 'node:net';
import type { Context } from 'hono';

export type Client = {
  readonly address: string;
  /** An IPv4 /24 or an IPv6 /64. */
  readonly network: string;
};

const unknownClient: Client = { address: 'unknown', network: 'unknown' };

/**
 * Each proxy appends its caller's address to X-Forwarded-For, on the right. So only as many entries as there are
 * trusted proxies are true; the client can invent the others.
 */
export function clientOf(c: Context, trustedProxies: number): Client {
  const forwarded = trustedProxies === 0 ? [] : (c.req.header('x-forwarded-for') ?? '').split(',').filter(isNotBlank);
  const heardFrom = [...forwarded.map(withoutPort), socketAddress(c)];
  // Fewer entries than proxies: the request bypassed one, so only its connection is certain.
  const claimed = heardFrom.at(-1 - trustedProxies) ?? heardFrom.at(-1);
  return clientAt(claimed ?? '') ?? clientAt(socketAddress(c)) ?? unknownClient;
}

/** @returns undefined for a text that is no address */
export function clientAt(text: string): Client | undefined {
  const [withoutZone = ''] = text.trim().split('%', 1);
  const address = withoutZone.replace(/^::ffff:(?=\d+\.)/i, '');
  if (isIP(address) === 0) return undefined;
  if (isIPv4(address)) return { address, network: `${address.split('.').slice(0, 3).join('.')}.0/24` };
  const groups = groupsOf(address);
  return { address: groups.join(':'), network: `${groups.slice(0, 4).join(':')}::/64` };
}

/** So that one address has one spelling. */
function groupsOf(address: string): readonly string[] {
  const canonical = new URL(`http://[${address}]`).hostname.slice(1, -1);
  const [head = '', tail] = canonical.split('::');
  const left = head === '' ? [] : head.split(':');
  const right = tail === undefined || tail === '' ? [] : tail.split(':');
  return [...left, ...Array<string>(8 - left.length - right.length).fill('0'), ...right];
}

/** Some proxies append the port. */
function withoutPort(entry: string): string {
  const trimmed = entry.trim();
  return /^\[(.+)\](?::\d+)?$/.exec(trimmed)?.[1] ?? /^([\d.]+):\d+$/.exec(trimmed)?.[1] ?? trimmed;
}

function isNotBlank(entry: string): boolean {
  return entry.trim() !== '';
}

/** @hono/node-server's; a request without a socket has none. */
type NodeBindings = { readonly incoming?: { readonly socket?: { readonly remoteAddress?: string } } };

function socketAddress(c: Context): string {
  return (c.env as NodeBindings | undefined)?.incoming?.socket?.remoteAddress ?? '';
}

/** An IPv4 address, or the /64 of an IPv6 address. */
export function subscriberOf({ address, network }: Client): string {
  return isIPv4(address) ? address : network;
}

/**
 * An IPv4 /24 or an IPv6 /48. A /48 has 256 of the /56 that providers give to households.
 * @returns undefined for an unknown client
 */
export function loggedPrefixOf({ address, network }: Client): string | undefined {
  if (isIP(address) === 0) return undefined;
  return isIPv4(address) ? network : `${address.split(':').slice(0, 3).join(':')}::/48`;
}
