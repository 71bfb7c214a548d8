import { connect, isIP, type Socket } from 'node:net';
import { type ConnectionOptions, connect as secure } from 'node:tls';
import type { Address } from './hosts.ts';

/** From the address's `sslmode` (or `ssl`) and `sslnegotiation`. */
export type Encryption = {
  /**
   * `prefer` continues without TLS if the server has none. Only `verify` checks the certificate.
   */
  readonly mode: 'allow' | 'prefer' | 'require' | 'verify';
  readonly isDirect: boolean;
};

/** Reads the address as postgres.js does, with environment variables as defaults. */
export function encryptionOf(url: string, environment: Readonly<Record<string, string | undefined>>) {
  const query = queryOf(url);
  const named = query.get('sslmode') ?? query.get('ssl') ?? environment['PGSSL'] ?? 'disable';
  const mode = query.get('sslrootcert') === 'system' ? 'verify-full' : named;
  if (['disable', 'false', ''].includes(mode)) return undefined;
  const isDirect = (query.get('sslnegotiation') ?? environment['PGSSLNEGOTIATION']) === 'direct';
  const known = ['allow', 'prefer', 'require'] as const;
  return { mode: known.find((name) => name === mode) ?? 'verify', isDirect } satisfies Encryption;
}

/** postgres.js would send `sslrootcert` to the server, which would refuse the session. */
export function withoutRootCertificate(url: string): string {
  const query = queryOf(url);
  if (!query.has('sslrootcert')) return url;
  query.delete('sslrootcert');
  return `${url.slice(0, url.indexOf('?'))}?${query.toString()}`;
}

function queryOf(url: string): URLSearchParams {
  return new URLSearchParams(url.includes('?') ? url.slice(url.indexOf('?')) : '');
}

const keepAliveMs = 5000;

/** Opens a connection, with TLS if configured. */
export async function dial(address: Address, encryption: Encryption | undefined, signal: AbortSignal): Promise<Socket> {
  const socket = connect(address);
  try {
    await waitForEvent(socket, 'connect', signal);
    // Detects a dead connection after about 15 s, even during a long statement.
    socket.setKeepAlive(true, keepAliveMs);
    return encryption === undefined ? socket : await encrypt(socket, { address, encryption, signal });
  } catch (error) {
    socket.destroy();
    throw error;
  }
}

type Encrypting = { readonly address: Address; readonly encryption: Encryption; readonly signal: AbortSignal };

async function encrypt(socket: Socket, { address, encryption, signal }: Encrypting): Promise<Socket> {
  const { mode, isDirect } = encryption;
  if (!isDirect && !(await offersTls(socket, signal))) {
    if (mode === 'prefer') return socket;
    throw Object.assign(new Error('The database server offers no TLS'), { code: 'TLS_NOT_OFFERED' });
  }
  const host = 'host' in address ? address.host : 'localhost';
  const options: ConnectionOptions = {
    socket,
    host,
    rejectUnauthorized: mode === 'verify',
    ...(isIP(host) === 0 ? { servername: host } : {}),
    ...(isDirect ? { ALPNProtocols: ['postgresql'] } : {}),
  };
  const encrypted = secure(options);
  await waitForEvent(encrypted, 'secureConnect', signal);
  return encrypted;
}

const sslRequest = Buffer.from([0, 0, 0, 8, 0x04, 0xd2, 0x16, 0x2f]);

async function offersTls(socket: Socket, signal: AbortSignal): Promise<boolean> {
  socket.write(sslRequest);
  const answer = String(await waitForEvent(socket, 'data', signal));
  // The server is silent until the handshake, so extra bytes would come from an attacker.
  if (answer !== 'S' && answer !== 'N') throw new Error('The database server did not say whether it offers TLS');
  return answer === 'S';
}

type SocketEvent = 'connect' | 'secureConnect' | 'data';

/** @throws the socket's error; ECONNRESET when the socket was closed without one. */
async function waitForEvent(socket: Socket, event: SocketEvent, signal: AbortSignal): Promise<unknown> {
  const abort = () => socket.destroy();
  signal.addEventListener('abort', abort);
  if (signal.aborted) abort();
  try {
    return await new Promise<unknown>((resolve, reject) => {
      const closed = () =>
        reject(Object.assign(new Error('The database closed the connection'), { code: 'ECONNRESET' }));
      socket.once(event, resolve);
      // Never removed: without a listener, a later error would end the process.
      socket.on('error', reject);
      socket.once('end', closed).once('close', closed);
    });
  } finally {
    signal.removeEventListener('abort', abort);
  }
}
