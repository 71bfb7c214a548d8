import { listen } from '../../bff/src/start/listen.ts';
import { demoApp } from './demo-app.ts';

export type Demo = {
  readonly origins: readonly string[];
  /**
   * Embeds the order form of this address.
   * @returns the address of the page.
   */
  readonly show: (orders: string) => string;
  readonly close: () => Promise<void>;
};

/** Its own port makes it another origin, as in production. */
export async function startDemo(options: { readonly host: string; readonly port: number }): Promise<Demo> {
  let orders = '';
  const server = await listen({ ...options, variable: 'DEMO_PARENT_PORT', handler: () => demoApp(() => orders) });
  const originOn = (host: string) => `http://${host}:${server.port}`;
  return {
    origins: [originOn('localhost'), originOn('127.0.0.1')],
    show: (address) => {
      orders = address;
      // For a browser, another name of the same machine is another site.
      return `${originOn(new URL(address).hostname === 'localhost' ? '127.0.0.1' : 'localhost')}/demo/embed`;
    },
    close: () => server.close(0),
  };
}
