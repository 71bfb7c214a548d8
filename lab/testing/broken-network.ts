import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';
import { TLSSocket } from 'node:tls';

/** A TCP proxy to PostgreSQL that can break in several ways. */
export type BrokenNetwork = {
  readonly url: string;
  readonly reset: () => void;
  /** Forwards nothing; new connections work. */
  readonly swallow: () => void;
  readonly connections: () => number;
  readonly encrypted: () => number;
  readonly close: () => Promise<void>;
};

export type BrokenNetworkOptions = {
  readonly databaseUrl: string;
  /** The proxy offers TLS and ends it. */
  readonly certificate?: { readonly key: string; readonly cert: string };
  /** For clients that ask. It still reports to be a primary, as PgBouncer does after a failover. */
  readonly pretendsStandby?: boolean;
  /** When a client asks for the kind of server. */
  readonly resetsWhenAsked?: boolean;
};

const asksForKind = 'pg_catalog.pg_is_in_recovery()';
const answersStandby = '(true)'.padEnd(asksForKind.length);

function asStandby(bytes: Buffer): Buffer {
  return Buffer.from(bytes.toString('latin1').replace(asksForKind, answersStandby), 'latin1');
}

export async function openBrokenNetwork(options: BrokenNetworkOptions): Promise<BrokenNetwork> {
  const { databaseUrl, certificate, pretendsStandby = false, resetsWhenAsked = false } = options;
  const toDatabase = (bytes: Buffer) => (pretendsStandby ? asStandby(bytes) : bytes);
  const target = new URL(databaseUrl);
  const lines = new Set<{ readonly client: Socket; readonly swallow: () => void; isEncrypted: boolean }>();
  const server = createServer((client) => {
    client.on('error', () => undefined);
    const database = connect(Number(target.port), target.hostname).on('error', () => undefined);
    let isSwallowing = false;
    const line = {
      client,
      isEncrypted: false,
      swallow: () => {
        isSwallowing = true;
      },
    };
    lines.add(line);
    const end = () => {
      lines.delete(line);
      client.destroy();
      database.destroy();
    };
    client.once('close', end);
    database.once('close', () => (isSwallowing ? undefined : end()));
    const join = (near: Socket) => {
      near.on('error', () => undefined);
      near.on('data', (bytes: Buffer) => {
        if (resetsWhenAsked && bytes.includes(asksForKind)) client.resetAndDestroy();
        else if (!isSwallowing) database.write(toDatabase(bytes));
      });
      near.on('end', () => (isSwallowing ? undefined : database.end()));
      database.on('data', (bytes: Buffer) => (isSwallowing ? undefined : near.write(bytes)));
      database.on('end', () => (isSwallowing ? undefined : near.end()));
    };
    if (certificate === undefined) join(client);
    else {
      void offerTls(client, certificate).then((encrypted) => {
        line.isEncrypted = true;
        join(encrypted);
      }, end);
    }
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  const url = new URL(databaseUrl);
  url.hostname = '127.0.0.1';
  url.port = String(typeof address === 'object' && address !== null ? address.port : 0);
  const reset = () => {
    for (const { client } of lines) client.resetAndDestroy();
  };
  return {
    url: url.href,
    reset,
    swallow: () => {
      for (const line of lines) line.swallow();
    },
    connections: () => lines.size,
    encrypted: () => [...lines].filter(({ isEncrypted }) => isEncrypted).length,
    close: async () => {
      reset();
      server.close();
      await once(server, 'close');
    },
  };
}

async function offerTls(client: Socket, certificate: { readonly key: string; readonly cert: string }): Promise<Socket> {
  const [request] = (await once(client, 'data')) as [Buffer];
  if (request.readInt32BE(4) !== 80_877_103) throw new Error('The client asked for no TLS');
  client.write('S');
  return new TLSSocket(client, { isServer: true, ...certificate });
}
