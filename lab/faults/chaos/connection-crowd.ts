import { connect, type Socket } from 'node:net';
import { setTimeout } from 'node:timers/promises';
import type { Sql } from '../../../bff/src/core/database/database.ts';

export type CrowdOptions = {
  /** Every database on this server is affected. */
  readonly databaseUrl: string;
  readonly ownerSql: Sql;
};

const crowdSize = 110;

/**
 * Then PostgreSQL refuses each new connection with "too many clients already". A client without its password occupies a
 * connection for up to a minute, or until its socket closes.
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
    // The owner's statement may be waiting for one of the crowd's connections.
    for (const socket of sockets) socket.destroy();
    await endStorm();
  };
}

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

/** Version 3.0. */
const protocolVersion = 0x30000;

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

/** Not the session that guards the embedded PostgreSQL: without it, a restarting PostgreSQL would shut down. */
export async function terminateServerSessions(ownerSql: Sql): Promise<void> {
  await ownerSql`
    select pg_terminate_backend(pid) from pg_stat_activity
    where application_name like 'kilim%'
      and application_name not in ('kilim owner', 'kilim chaos', 'kilim failover', 'kilim operator', 'kilim copy')
      and pid <> pg_backend_pid()`;
}
