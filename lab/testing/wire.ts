import { createServer, connect as dial, type Socket } from 'node:net';

export type Wire = {
  readonly url: string;
  /** Refuses new connections. */
  readonly cut: () => void;
  /** Forwards nothing. */
  readonly hold: () => void;
  /** New connections work. */
  readonly mend: () => void;
  readonly connections: () => number;
  readonly close: () => Promise<void>;
};

export async function openWire(databaseUrl: string): Promise<Wire> {
  const url = new URL(databaseUrl);
  const { hostname, port } = url;
  const sockets = new Set<Socket>();
  let state: 'whole' | 'cut' | 'held' = 'whole';
  const server = createServer((client) => {
    if (state === 'cut') return void client.destroy();
    const database = dial(Number(port), hostname);
    for (const socket of [client, database]) {
      sockets.add(socket.on('error', () => undefined));
      socket.once('close', () => {
        sockets.delete(socket);
        client.destroy();
        database.destroy();
      });
    }
    client.pipe(database).pipe(client);
    if (state === 'held') for (const socket of [client, database]) socket.unpipe().pause();
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  const address = server.address();
  url.hostname = '127.0.0.1';
  url.port = String(typeof address === 'object' && address !== null ? address.port : 0);
  const breakAll = () => {
    for (const socket of sockets) socket.destroy();
  };
  return {
    url: url.href,
    cut: () => {
      state = 'cut';
      breakAll();
    },
    hold: () => {
      state = 'held';
      for (const socket of sockets) socket.unpipe().pause();
    },
    mend: () => {
      state = 'whole';
      breakAll();
    },
    connections: () => sockets.size / 2,
    close: async () => {
      breakAll();
      await new Promise((closed) => server.close(closed));
    },
  };
}
