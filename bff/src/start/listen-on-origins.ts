import type { Origins } from '../core/http/origins.ts';
import type { Shutdown } from '../core/runtime/shutdown.ts';
import type { Environment } from './env.ts';
import { type Handler, type Listening, listen } from './listen.ts';

export type ListenOnOrigins = Pick<Shutdown, 'closing'> & {
  readonly graceSeconds: number;
  /** Of both listeners. `port` is the shop's. */
  readonly handler: (origins: Origins, port: number) => Handler;
};

/** @throws Error with a sentence that names the variable when a port cannot be used. */
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
