import { listen } from '../../src/server/listen.ts';
import { demoApp } from './demo-app.ts';

export type Demo = {
  /** Under which the page may be opened. */
  readonly origins: readonly string[];
  /** Puts the order form that lives at this address into the page. @returns the address of the page */
  readonly show: (orders: string) => string;
  readonly close: () => Promise<void>;
};

/** The marketing page that the order form can be tried in, on a port of its own: another origin, as in earnest. */
export async function startDemo(options: { readonly host: string; readonly port: number }): Promise<Demo> {
  let orders = '';
  const server = await listen({ ...options, handler: () => demoApp(() => orders) });
  const originOn = (host: string) => `http://${host}:${server.port}`;
  return {
    origins: [originOn('localhost'), originOn('127.0.0.1')],
    show: (address) => {
      orders = address;
      // Another name for the same machine is another site to a browser.
      return `${originOn(new URL(address).hostname === 'localhost' ? '127.0.0.1' : 'localhost')}/demo/embed`;
    },
    close: () => server.close(0),
  };
}
