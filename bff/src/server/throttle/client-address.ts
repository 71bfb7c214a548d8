import { isIP, isIPv4 } from 'node:net';
import type { Context } from 'hono';

/** Who asks, as far as the network tells. */
export type Client = {
  readonly address: string;
  /** The /24 of an IPv4 address, the /64 of an IPv6 one: what one household or one small provider has. */
  readonly network: string;
};

const unknownClient: Client = { address: 'unknown', network: 'unknown' };

/**
 * The address from which a request comes. Each proxy appends, on the right of X-Forwarded-For, whom it heard from, so that of the list only
 * as many entries as there are proxies of ours are true; what is to the left of them the caller made up.
 */
export function clientOf(c: Context, trustedProxies: number): Client {
  const forwarded = trustedProxies === 0 ? [] : (c.req.header('x-forwarded-for') ?? '').split(',').filter(isNotBlank);
  const heardFrom = [...forwarded.map(withoutPort), socketAddress(c)];
  // Fewer entries than proxies: somebody came around one of them, and only the connection itself is certain.
  const claimed = heardFrom.at(-1 - trustedProxies) ?? heardFrom.at(-1);
  return clientAt(claimed ?? '') ?? clientAt(socketAddress(c)) ?? unknownClient;
}

function clientAt(text: string): Client | undefined {
  const address = text
    .trim()
    .replace(/^::ffff:(?=\d+\.)/i, '')
    .replace(/%.*$/, '');
  if (isIP(address) === 0) return undefined;
  if (isIPv4(address)) return { address, network: `${address.split('.').slice(0, 3).join('.')}.0/24` };
  const groups = groupsOf(address);
  return { address: groups.join(':'), network: `${groups.slice(0, 4).join(':')}::/64` };
}

/** The eight groups of an IPv6 address, so that one address has one spelling. */
function groupsOf(address: string): readonly string[] {
  const canonical = new URL(`http://[${address}]`).hostname.slice(1, -1);
  const [head = '', tail] = canonical.split('::');
  const left = head === '' ? [] : head.split(':');
  const right = tail === undefined || tail === '' ? [] : tail.split(':');
  return [...left, ...Array<string>(8 - left.length - right.length).fill('0'), ...right];
}

/** Some proxies write the port too. */
function withoutPort(entry: string): string {
  const trimmed = entry.trim();
  return /^\[(.+)\](?::\d+)?$/.exec(trimmed)?.[1] ?? /^([\d.]+):\d+$/.exec(trimmed)?.[1] ?? trimmed;
}

function isNotBlank(entry: string): boolean {
  return entry.trim() !== '';
}

/** What @hono/node-server puts beside a request; a request that came through no socket has none. */
type NodeBindings = { readonly incoming?: { readonly socket?: { readonly remoteAddress?: string } } };

function socketAddress(c: Context): string {
  return (c.env as NodeBindings | undefined)?.incoming?.socket?.remoteAddress ?? '';
}
