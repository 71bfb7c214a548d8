import { connect, createServer, type Server, type Socket } from 'node:net';
import { readDatabaseAddress } from '../../../bff/src/core/database/database-address.ts';
import { type AppendName, holdsAppend } from './append-in-bytes.ts';
import { type Direction, type ProxiedConnection, proxyConnection } from './proxied-connection.ts';

/** A TCP proxy to PostgreSQL that can break connections. */
export type DatabaseProxy = {
  readonly url: string;
  /** New connections work. */
  readonly cut: () => void;
  /** Until `restore`. */
  readonly block: () => void;
  /** Until `release`, whatever else happens. */
  readonly hold: () => void;
  readonly release: () => void;
  /** Forwards nothing; also on new connections if the silence says so. */
  readonly silence: (silence: Silence) => void;
  readonly endSilence: (ending: SilenceEnding) => void;
  /**
   * On the connection of the next append that ends with this event: its bytes or its answer are lost, with other
   * statements in flight.
   */
  readonly breakAtAppend: (name: AppendName, at: AppendBreak) => void;
  /** Also cancels a break that has not happened yet. */
  readonly restore: () => void;
  readonly close: () => Promise<void>;
};

export type Silence = { readonly direction: Direction; readonly isForNewConnections: boolean };

/** Silent connections continue, are reset, or stay silent for ever while new ones work. */
export type SilenceEnding = 'resume' | 'reset' | 'forget';

export type AppendBreak = 'request' | 'answer';

/**
 * @param onTrip called for each round trip: when bytes are sent after PostgreSQL sent the last ones. Statements sent
 * together are one.
 */
export async function openDatabaseProxy(databaseUrl: string, onTrip?: () => void): Promise<DatabaseProxy> {
  const sockets = new Set<Socket>();
  const connections = new Set<ProxiedConnection>();
  let blocked = false;
  let held = false;
  let silence: Silence | undefined;
  let appendToBreak: { readonly name: AppendName; readonly at: AppendBreak } | undefined;
  const sent = (bytes: Buffer) => {
    if (appendToBreak === undefined || !holdsAppend(bytes, appendToBreak.name)) return 'forward';
    const { at } = appendToBreak;
    appendToBreak = undefined;
    return at === 'request' ? 'break' : 'break at the answer';
  };
  const open = (client: Socket, { host, port }: HostAddress) => {
    if (blocked || held) return void client.destroy();
    const database = connect(port, host);
    for (const socket of [client, database]) {
      sockets.add(socket);
      socket.setNoDelay(true).on('error', () => undefined);
      socket.once('close', () => sockets.delete(socket));
    }
    const trips = countTrips(onTrip);
    const connection = proxyConnection(client, database, {
      sent: (bytes) => {
        trips.sent();
        return sent(bytes);
      },
      answered: trips.answered,
    });
    connections.add(connection);
    client.once('close', () => connections.delete(connection));
    if (silence?.isForNewConnections === true) connection.silence(silence.direction);
  };
  const servers = await listenFor(hostsOf(databaseUrl), open);
  const cut = () => {
    for (const connection of connections) connection.reset();
  };
  const endSilence = (ending: SilenceEnding) => {
    if (silence === undefined) return;
    silence = undefined;
    for (const connection of connections) connection[ending]();
  };
  return {
    url: throughProxies(databaseUrl, servers),
    cut,
    block: () => {
      blocked = true;
      cut();
    },
    hold: () => {
      held = true;
      cut();
    },
    release: () => {
      held = false;
    },
    silence: (wanted) => {
      silence = wanted;
      for (const connection of connections) connection.silence(wanted.direction);
    },
    endSilence,
    breakAtAppend: (name, at) => {
      appendToBreak = { name, at };
    },
    restore: () => {
      blocked = false;
      appendToBreak = undefined;
      endSilence('resume');
    },
    close: async () => {
      cut();
      // The sockets of a forgotten connection no longer close each other.
      for (const socket of sockets) socket.destroy();
      await Promise.all(servers.map((server) => new Promise((closed) => server.close(closed))));
    },
  };
}

type HostAddress = { readonly host: string; readonly port: number };

function hostsOf(databaseUrl: string): readonly HostAddress[] {
  return readDatabaseAddress(databaseUrl).addresses.filter((address) => 'host' in address);
}

async function listenFor(
  targets: readonly HostAddress[],
  open: (client: Socket, target: HostAddress) => void,
): Promise<readonly Server[]> {
  return await Promise.all(
    targets.map(async (target) => {
      const server = createServer((client) => open(client, target));
      await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
      return server;
    }),
  );
}

/** Not `URL`, which does not accept several hosts. */
function throughProxies(databaseUrl: string, servers: readonly Server[]): string {
  const proxied = servers.map((server) => {
    const address = server.address();
    return `127.0.0.1:${typeof address === 'object' && address !== null ? address.port : 0}`;
  });
  return databaseUrl.replace(readDatabaseAddress(databaseUrl).hosts, proxied.join(','));
}

function countTrips(onTrip: (() => void) | undefined) {
  let isAnswered = true;
  return {
    sent: () => {
      if (isAnswered) onTrip?.();
      isAnswered = false;
    },
    answered: () => {
      isAnswered = true;
    },
  };
}
