import { once } from 'node:events';
import { createServer } from 'node:net';
import { codeOf, type Diagnosis, sentenceOf } from '../../core/runtime/diagnosis.ts';

export type PortPlace = {
  readonly variable: 'PORT' | 'OFFICE_PORT' | 'SIMULATOR_PORT' | 'DEMO_PARENT_PORT' | 'MAILBOX_PORT';
  readonly host: string;
  readonly port: number;
};

/** @returns undefined for an error of another kind. */
export function explainListenError(error: unknown, { variable, host, port }: PortPlace): Diagnosis | undefined {
  switch (codeOf(error)) {
    case 'EADDRINUSE':
      return {
        level: 'error',
        variable,
        problem: `another program listens on ${host}:${port}.`,
        remedy: `Stop that program, or set ${variable} to another port; 0 picks a free one.`,
      };
    case 'EACCES':
      return {
        level: 'error',
        variable,
        problem: `this user may not listen on port ${port}.`,
        remedy: `Set ${variable} to a port above 1023, and let a proxy forward to it.`,
      };
    case 'EADDRNOTAVAIL':
    case 'EAFNOSUPPORT':
    case 'ENOTFOUND':
    case 'EAI_AGAIN':
      return {
        level: 'error',
        variable: 'HOST',
        problem: `${host} is no address of this machine.`,
        remedy: 'Set HOST to 127.0.0.1 behind a proxy on this machine, or to 0.0.0.0 for all addresses.',
      };
    default:
      return undefined;
  }
}

/** @throws Error with a sentence that names the variable when the port cannot be used. */
export async function onPort<Server>(place: PortPlace, start: () => Promise<Server>): Promise<Server> {
  try {
    return await start();
  } catch (error) {
    const diagnosis = explainListenError(error, place);
    throw diagnosis === undefined ? error : new Error(sentenceOf(diagnosis), { cause: error });
  }
}

export async function checkPort(place: PortPlace): Promise<readonly Diagnosis[]> {
  const server = createServer();
  try {
    server.listen(place.port, place.host);
    await once(server, 'listening');
    return [];
  } catch (error) {
    const diagnosis = explainListenError(error, place);
    if (diagnosis === undefined) throw error;
    return [diagnosis];
  } finally {
    server.close();
  }
}

/** A port on which a Kilim serves is used as it should be. */
export async function isKilim({ host, port }: Pick<PortPlace, 'host' | 'port'>): Promise<boolean> {
  const reachable = host === '0.0.0.0' ? '127.0.0.1' : host === '::' ? '::1' : host;
  const address = `http://${reachable.includes(':') ? `[${reachable}]` : reachable}:${port}`;
  try {
    const answer = await fetch(`${address}/healthz`, { signal: AbortSignal.timeout(1000) });
    return ((await answer.json()) as { readonly status?: unknown }).status === 'ok';
  } catch {
    return false;
  }
}
