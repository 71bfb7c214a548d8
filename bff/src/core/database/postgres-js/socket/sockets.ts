import type { Notice } from 'postgres';
import type { DatabaseAddress } from '../../database-address.ts';
import { DatabaseSocket, failReceivingSocket } from './database-socket.ts';
import { type Address, createHosts } from './hosts.ts';
import { faultOf } from './network-fault.ts';

export type SocketOptions = {
  /** How long the server may be silent after a statement; undefined: no limit. */
  readonly silenceMs: number | undefined;
  readonly isInTurns: boolean;
  readonly onNotice?: ((notice: Notice) => void) | undefined;
};

/** The sockets do TLS themselves. */
export function socketsOf(
  { addresses, encryption }: DatabaseAddress,
  { silenceMs, isInTurns, onNotice }: SocketOptions,
) {
  const shared = { encryption, silenceMs, isInTurns, sockets: new Set<DatabaseSocket>() };
  const several = addresses.length > 1 ? createHosts(addresses) : undefined;
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
