import { connect, type Socket } from 'node:net';
import { setTimeout } from 'node:timers/promises';
import type { Sql } from '../../src/database/database.ts';

export type CrowdOptions = {
  /** Only this database server's: other sessions of it get no connection either. */
  readonly databaseUrl: string;
  readonly ownerSql: Sql;
};

/** More than PostgreSQL takes. */
const crowdSize = 110;

/**
 * Other clients take all connections of PostgreSQL, and the servers lose theirs: each new connection
 * is refused with "too many clients already". A client that has not said its password yet counts, for
 * a minute, and is gone as soon as its socket is closed.
 * @returns how to let the connections go.
 */
export function crowdOut({ databaseUrl, ownerSql }: CrowdOptions): () => Promise<void> {
  const sockets = new Set<Socket>();
  let isOver = false;
  const takeOne = async () => {
    while (!isOver) {
      const socket = introduceTo(databaseUrl);
      sockets.add(socket);
      await new Promise((closed) => socket.once('close', closed));
      sockets.delete(socket);
      await setTimeout(50);
    }
  };
  for (let taken = 0; taken < crowdSize; taken += 1) void takeOne();
  const pushing = pushOut(ownerSql, () => isOver);
  return async () => {
    isOver = true;
    // The crowd first: a statement of the owner may wait for one of its connections.
    for (const socket of sockets) socket.destroy();
    await pushing;
  };
}

/** Says who wants to connect to what, and does not answer the question for the password. */
function introduceTo(databaseUrl: string): Socket {
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

/** 3.0 */
const protocolVersion = 0x30000;

async function pushOut(ownerSql: Sql, isOver: () => boolean): Promise<void> {
  while (!isOver()) {
    await terminateServerSessions(ownerSql).catch(() => undefined);
    await setTimeout(100);
  }
}

/**
 * Ends the sessions of the servers. The session that guards the embedded PostgreSQL stays: without
 * it, a PostgreSQL that is just coming back would be given up.
 */
export async function terminateServerSessions(ownerSql: Sql): Promise<void> {
  await ownerSql`
    select pg_terminate_backend(pid) from pg_stat_activity
    where application_name like 'kilim%'
      and application_name not in ('kilim owner', 'kilim chaos')
      and pid <> pg_backend_pid()`;
}
