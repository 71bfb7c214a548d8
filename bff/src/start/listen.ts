import { createServer, type IncomingMessage, type Server } from 'node:http';
import { type AddressInfo, isIPv4, type Socket } from 'node:net';
import { getRequestListener, RequestError } from '@hono/node-server';
import type { Hono } from 'hono';
import { isProbe } from '../core/http/health.ts';
import { ofEveryAnswer } from '../core/http/response-headers.ts';
import { clientAt } from '../core/runtime/client-address.ts';
import { onPort, type PortPlace } from './check/check-port.ts';

export type Handler = { readonly fetch: Hono['fetch'] };

export type Listening = {
  readonly port: number;
  /** Waits at most `graceSeconds` for requests in progress. */
  readonly close: (graceSeconds: number) => Promise<void>;
};

export type ListenOptions = {
  /** Default: `PORT`. */
  readonly variable?: PortPlace['variable'];
  readonly host: string;
  readonly port: number;
  /**
   * `TRUST_PROXY`. With 0 each address has a limit of open connections; behind a proxy all connections are the proxy's.
   * Absent: no address is limited.
   */
  readonly trustedProxies?: number;
  /** Answers contain the server's address. */
  readonly handler: (port: number) => Handler;
};

const mostConnections = 2_000;
/** Sixteen browsers with six connections each share an address without a refusal. */
const mostConnectionsPerAddress = 100;

/**
 * Limits slow and hostile clients.
 * @throws Error with a sentence that names the variable when the port cannot be used.
 */
export async function listen({ variable = 'PORT', host, port, ...options }: ListenOptions): Promise<Listening> {
  const server = createServer({
    headersTimeout: 10_000,
    requestTimeout: 30_000,
    keepAliveTimeout: 5_000,
    // How often the two limits above are checked. Node's 30 seconds would double them.
    connectionsCheckingInterval: 1_000,
    // Probes may lack it. For all other requests `getRequestListener` requires it.
    requireHostHeader: false,
  });
  server.maxConnections = mostConnections;
  if (options.trustedProxies === 0) limitConnections(server, mostConnectionsPerAddress);
  await onPort({ variable, host, port }, () => startListening(server, port, host));
  const unused = unusedConnections(server);
  const bound = (server.address() as AddressInfo).port;
  const { fetch } = madeFor(server, () => options.handler(bound));
  const answer = getRequestListener(fetch, { errorHandler: answerOutsideRoutes });
  server.on('request', (request, response) => {
    if (!server.listening) response.setHeader('connection', 'close');
    const isProbing = isProbe(pathOf(request.url));
    if (!isProbing && !hasUsableHost(request)) {
      response.writeHead(400, { ...ofEveryAnswer, connection: 'close' }).end();
      return;
    }
    // haproxy's usual check has no Host header, others send a machine's address.
    if (isProbing) request.headers.host = 'localhost';
    void answer(request, response);
  });
  return { port: bound, close: (graceSeconds) => close(server, { unused, graceSeconds }) };
}

function startListening(server: Server, port: number, host: string): Promise<void> {
  return new Promise((listening, refused) => {
    server.once('error', refused);
    server.listen(port, host, () => {
      server.off('error', refused);
      listening();
    });
  });
}

/**
 * A proxy and this server could each read another of two hosts, so these are refused (RFC 9112, section 3.2). A missing
 * one is refused later.
 */
function hasUsableHost({ headersDistinct }: IncomingMessage): boolean {
  const [host, ...more] = headersDistinct['host'] ?? [];
  return more.length === 0 && (host === undefined || URL.canParse(`http://${host}`));
}

/** Some addresses, such as `/admin\\x`, never reach the routes and their headers. */
function answerOutsideRoutes(error: unknown): Response {
  return new Response(null, { status: error instanceof RequestError ? 400 : 500, headers: ofEveryAnswer });
}

function pathOf(url = ''): string {
  return url.split('?', 1)[0] ?? '';
}

/** Otherwise the process would never end. */
function madeFor(server: Server, make: () => Handler): Handler {
  try {
    return make();
  } catch (error) {
    server.close();
    throw error;
  }
}

/**
 * Closes each further new connection of an address. IPv6 addresses count by /64, because one household has all
 * addresses of that network.
 */
function limitConnections(server: Server, most: number): void {
  const open = new Map<string, number>();
  server.on('connection', (socket) => {
    const key = keyOf(socket.remoteAddress ?? '');
    const count = open.get(key) ?? 0;
    if (count >= most) {
      socket.destroy();
      return;
    }
    open.set(key, count + 1);
    socket.once('close', () => {
      const left = (open.get(key) ?? 1) - 1;
      if (left === 0) open.delete(key);
      else open.set(key, left);
    });
  });
}

function keyOf(remoteAddress: string): string {
  const client = clientAt(remoteAddress);
  if (client === undefined) return remoteAddress;
  return isIPv4(client.address) ? client.address : client.network;
}

/** Node does not count unused connections as idle. */
function unusedConnections(server: Server): ReadonlySet<Socket> {
  const unused = new Set<Socket>();
  server.on('connection', (socket) => {
    unused.add(socket);
    socket.once('close', () => unused.delete(socket));
  });
  server.on('request', ({ socket }) => unused.delete(socket));
  return unused;
}

type Close = { readonly unused: ReadonlySet<Socket>; readonly graceSeconds: number };

async function close(server: Server, { unused, graceSeconds }: Close): Promise<void> {
  const closed = new Promise<void>((resolve) => server.close(() => resolve()));
  // An answered connection becomes idle only now, and would stay open for the keep-alive time.
  const idle = setInterval(() => server.closeIdleConnections(), 20);
  const grace = setTimeout(() => server.closeAllConnections(), graceSeconds * 1000);
  // A request may be in transit at this moment, so unused connections get a short grace.
  const advance = setTimeout(() => {
    for (const socket of unused) socket.destroy();
  }, Math.min(0.2, graceSeconds) * 1000);
  await closed;
  clearTimeout(advance);
  clearInterval(idle);
  clearTimeout(grace);
}

export function reachable(host: string): string {
  if (host === '0.0.0.0') return '127.0.0.1';
  if (host === '::') return '[::1]';
  return host.includes(':') ? `[${host}]` : host;
}
