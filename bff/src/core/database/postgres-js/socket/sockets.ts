import type { Notice } from 'postgres';
import { DatabaseSocket, failReceivingSocket } from './database-socket.ts';
import { encryptionOf } from './dial.ts';
import { type Address, addressesOf, createHosts, hostsOf } from './hosts.ts';
import { faultOf } from './network-fault.ts';

export type SocketOptions = {
  /** How long the server may be silent after a statement; undefined: no limit. */
  readonly silenceMs: number | undefined;
  readonly isInTurns: boolean;
  readonly onNotice?: ((notice: Notice) => void) | undefined;
};

/** The sockets do TLS themselves. */
export function socketsOf(url: string, { silenceMs, isInTurns, onNotice }: SocketOptions) {
  const encryption = encryptionOf(url, process.env);
  const shared = { encryption, silenceMs, isInTurns, sockets: new Set<DatabaseSocket>() };
  const named = hostsOf(url);
  const several = named.length > 1 ? createHosts(addressesOf(named)) : undefined;
  const socket = ({ host, port, path, target_session_attrs: wanted }: DriverOptions) => {
    const only: Address = path ? { path } : { host: host[0] ?? 'localhost', port: port[0] ?? 5432 };
    return new DatabaseSocket({ ...shared, wanted, hosts: several ?? createHosts([only]) });
  };
  const onnotice = (notice: Notice) => {
    if (notice['routine'] === waitForStandby) failReceivingSocket(unconfirmedCommit());
    onNotice?.(notice);
  };
  return { ssl: false as const, socket, onnotice };
}

type DriverOptions = {
  readonly host: readonly string[];
  readonly port: readonly number[];
  readonly path?: string | false;
  readonly target_session_attrs?: string | null;
};

/** PostgreSQL warns when an operator cancels the wait; the standby may then lack the reported commit. */
const waitForStandby = 'SyncRepWaitForLSN';

function unconfirmedCommit(): Error {
  return faultOf('CONNECTION_UNCONFIRMED', 'The wait for the synchronous standby was cancelled');
}
