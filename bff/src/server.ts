import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { getRequestListener } from '@hono/node-server';
import type { Hono } from 'hono';

/** What answers requests: a Hono application, whatever its variables are. */
export type Handler = { readonly fetch: Hono['fetch'] };

export type Listening = {
  readonly port: number;
  /** Takes no more requests, and waits for those that are being served: at most `graceSeconds`. */
  readonly close: (graceSeconds: number) => Promise<void>;
};

export type ListenOptions = {
  readonly host: string;
  /** 0 picks a free port. */
  readonly port: number;
  /** Made once the port is known, because the address of the server is part of what it answers. */
  readonly handler: (port: number) => Handler;
};

/** Listens, with limits that a slow or a hostile client cannot get around. */
export async function listen({ host, port, handler }: ListenOptions): Promise<Listening> {
  const server = createServer({ headersTimeout: 10_000, requestTimeout: 30_000, keepAliveTimeout: 5_000 });
  server.maxConnections = 2_000;
  await new Promise<void>((listening, refused) => {
    server.once('error', refused);
    server.listen(port, host, () => {
      server.off('error', refused);
      listening();
    });
  });
  const bound = (server.address() as AddressInfo).port;
  const answer = getRequestListener(madeFor(server, () => handler(bound)).fetch);
  server.on('request', (request, response) => void answer(request, response));
  return { port: bound, close: (graceSeconds) => close(server, graceSeconds) };
}

/** What cannot be answered is not listened for: the port would be taken, and the process would never end. */
function madeFor(server: Server, make: () => Handler): Handler {
  try {
    return make();
  } catch (error) {
    server.close();
    throw error;
  }
}

async function close(server: Server, graceSeconds: number): Promise<void> {
  const closed = new Promise<void>((resolve) => server.close(() => resolve()));
  server.closeIdleConnections();
  const impatience = setTimeout(() => server.closeAllConnections(), graceSeconds * 1000);
  await closed;
  clearTimeout(impatience);
}
