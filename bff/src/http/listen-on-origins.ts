import type { Shutdown } from '../runtime/shutdown.ts';
import type { Environment } from '../server/env.ts';
import { type Handler, type Listening, listen } from './listen.ts';

/**
 * The addresses under which browsers reach this server. Two origins keep scripts on a customer's
 * page from acting for a signed-in administrator.
 */
export type Origins = {
  /** `https://orders.example` */
  readonly shop: string;
  /** `https://office.example` */
  readonly office: string;
  /** The office's own port. Absent in production, where the host name decides. */
  readonly officePort?: number | undefined;
};

export type ListenOnOrigins = Pick<Shutdown, 'closing'> & {
  /** Requests in progress may take this long when the server stops. */
  readonly graceSeconds: number;
  /** Makes the handler of both listeners. `port` is the shop's. */
  readonly handler: (origins: Origins, port: number) => Handler;
};

/**
 * Starts the shop's listener and, in development, the one of the back office.
 * @returns the addresses, and the shop's port
 * @throws Error with a sentence that names the variable when a port cannot be used.
 */
export async function listenOnOrigins(
  { host, port, publicUrl, officeUrl, officePort, trustedProxies }: Environment['server'],
  { closing, graceSeconds, handler }: ListenOnOrigins,
): Promise<{ readonly origins: Origins; readonly port: number }> {
  const closeWithWork = (what: string, { close }: Listening) => closing('work', what)(() => close(graceSeconds));
  // Answers contain both addresses, so requests to the first listener wait for the second.
  const made = Promise.withResolvers<Handler>();
  const waiting: Handler = { fetch: async (...request) => (await made.promise).fetch(...request) };
  const office =
    officePort === undefined
      ? undefined
      : await listen({ variable: 'OFFICE_PORT', host, port: officePort, trustedProxies, handler: () => waiting });
  if (office !== undefined) closeWithWork("the back office's HTTP server", office);
  const originsAt = (bound: number): Origins => ({
    shop: publicUrl ?? `http://${host}:${bound}`,
    office: officeUrl ?? `http://${officeHost(host)}:${office?.port ?? bound}`,
    officePort: office?.port,
  });
  const shop = await listen({
    host,
    port,
    trustedProxies,
    handler: (bound) => {
      const both = handler(originsAt(bound), bound);
      made.resolve(both);
      return both;
    },
  });
  closeWithWork('the HTTP server', shop);
  return { origins: originsAt(shop.port), port: shop.port };
}

/**
 * Another name than the shop's, because cookies do not separate ports. Browsers offer passkeys for
 * this name, but not for an IP address.
 */
function officeHost(host: string): string {
  return host === '127.0.0.1' ? 'localhost' : host;
}
