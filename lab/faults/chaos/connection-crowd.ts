import { connect, type Socket } from 'node:net';
import { setTimeout } from 'node:timers/promises';
import type { Sql } from '../../../bff/src/database/database.ts';

export type CrowdOptions = {
  /** Every database on this server is affected, not only the one named here. */
  readonly databaseUrl: string;
  readonly ownerSql: Sql;
};

/** More connections than PostgreSQL accepts. */
const crowdSize = 110;

/**
 * Takes all connections of PostgreSQL and terminates those of the servers. PostgreSQL then refuses
 * each new connection with "too many clients already". A client that has not sent its password yet
 * occupies a connection for up to a minute, and frees it as soon as its socket closes.
 * @returns a function that releases the connections.
 */
export function occupyConnections({ databaseUrl, ownerSql }: CrowdOptions): () => Promise<void> {
  const sockets = new Set<Socket>();
  let isOver = false;
  const takeOne = async () => {
    while (!isOver) {
      const socket = sendStartup(databaseUrl);
      sockets.add(socket);
      await new Promise((closed) => socket.once('close', closed));
      sockets.delete(socket);
      await setTimeout(50);
    }
  };
  for (let taken = 0; taken < crowdSize; taken += 1) void takeOne();
  const endStorm = beginStorm(ownerSql, 100);
  return async () => {
    isOver = true;
    // Close the crowd first: the owner's statement may be waiting for one of its connections.
    for (const socket of sockets) socket.destroy();
    await endStorm();
  };
}

/** Sends the startup message and never answers the password request. */
function sendStartup(databaseUrl: string): Socket {
  const { hostname, port, username, pathname } = new URL(databaseUrl);
  const words = ['user', username, 'database', pathname.slice(1), 'application_name', 'kilim crowd'];
  const body = Buffer.from(`${words.join('\0')}\0\0`);
  const head = Buffer.alloc(8);
  head.writeInt32BE(head.length + body.length);
  head.writeInt32BE(protocolVersion, 4);
  const socket = connect(Number(port), hostname).on('error', () => undefined);
  socket.write(Buffer.concat([head, body]));
  return socket.resume();
}

/** Version 3.0 of the protocol. */
const protocolVersion = 0x30000;

/** Terminates the servers' sessions at this interval. @returns a function that ends the storm. */
export function beginStorm(ownerSql: Sql, everyMs: number): () => Promise<void> {
  let isOver = false;
  const terminating = (async () => {
    while (!isOver) {
      await terminateServerSessions(ownerSql).catch(() => undefined);
      await setTimeout(everyMs);
    }
  })();
  return async () => {
    isOver = true;
    await terminating;
  };
}

/**
 * Terminates the servers' sessions. The session that guards the embedded PostgreSQL stays: without
 * it, a PostgreSQL that is restarting would shut down.
 */
export async function terminateServerSessions(ownerSql: Sql): Promise<void> {
  await ownerSql`
    select pg_terminate_backend(pid) from pg_stat_activity
    where application_name like 'kilim%'
      and application_name not in ('kilim owner', 'kilim chaos', 'kilim failover', 'kilim operator', 'kilim copy')
      and pid <> pg_backend_pid()`;
}
