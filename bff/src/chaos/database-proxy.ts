import { connect, createServer, type Socket } from 'node:net';

/** Stands between the servers and PostgreSQL, and cuts. */
export type DatabaseProxy = {
  /** The database's address through the proxy. */
  readonly url: string;
  /** Breaks what is connected; new connections come through. */
  readonly cut: () => void;
  /** Nothing comes through until it is restored. */
  readonly block: () => void;
  readonly restore: () => void;
  readonly close: () => Promise<void>;
};

/**
 * @param onTrip called for each round trip: whenever something is sent to PostgreSQL on a connection on which it had the last word. Statements
 * that are sent together are one trip.
 */
export async function openDatabaseProxy(databaseUrl: string, onTrip?: () => void): Promise<DatabaseProxy> {
  const target = new URL(databaseUrl);
  const sockets = new Set<Socket>();
  let blocked = false;
  const server = createServer((client) => {
    if (blocked) return void client.destroy();
    const database = connect(Number(target.port), target.hostname);
    for (const socket of [client, database]) {
      sockets.add(socket);
      socket.setNoDelay(true).on('error', () => undefined);
      socket.once('close', () => {
        sockets.delete(socket);
        client.destroy();
        database.destroy();
      });
    }
    client.pipe(database).pipe(client);
    if (onTrip !== undefined) countTrips(client, database, onTrip);
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  const address = server.address();
  const url = new URL(databaseUrl);
  url.hostname = '127.0.0.1';
  url.port = String(typeof address === 'object' && address !== null ? address.port : 0);
  const cut = () => {
    for (const socket of sockets) breakOff(socket);
  };
  return {
    url: url.href,
    cut,
    block: () => {
      blocked = true;
      cut();
    },
    restore: () => {
      blocked = false;
    },
    close: async () => {
      cut();
      await new Promise((closed) => server.close(closed));
    },
  };
}

/**
 * As a cable that is pulled. One that is ending already is only closed: resetting it fails, and then Node can never close it, and does not
 * come to an end either.
 */
function breakOff(socket: Socket): void {
  if (socket.writableEnded) socket.destroy();
  else socket.resetAndDestroy();
}

function countTrips(client: Socket, database: Socket, onTrip: () => void): void {
  let isAnswered = true;
  client.on('data', () => {
    if (isAnswered) onTrip();
    isAnswered = false;
  });
  database.on('data', () => {
    isAnswered = true;
  });
}
