import { DatabaseSocket } from './database-socket.ts';
import { encryptionOf } from './dial.ts';
import { type Address, addressesOf, createHosts, hostsOf } from './hosts.ts';

/**
 * The option `socket`, which the types of postgres.js lack. Its sockets do TLS themselves.
 * @param silenceMs how long the server may be silent after a statement; undefined: no limit.
 */
export function socketsOf(url: string, silenceMs: number | undefined) {
  const shared = { encryption: encryptionOf(url, process.env), silenceMs, sockets: new Set<DatabaseSocket>() };
  const named = hostsOf(url);
  const several = named.length > 1 ? createHosts(addressesOf(named)) : undefined;
  const socket = ({ host, port, path, target_session_attrs: wanted }: DriverOptions) => {
    const only: Address = path ? { path } : { host: host[0] ?? 'localhost', port: port[0] ?? 5432 };
    return new DatabaseSocket({ ...shared, wanted, hosts: several ?? createHosts([only]) });
  };
  return { ssl: false as const, socket };
}

type DriverOptions = {
  readonly host: readonly string[];
  readonly port: readonly number[];
  readonly path?: string | false;
  readonly target_session_attrs?: string | null;
};
