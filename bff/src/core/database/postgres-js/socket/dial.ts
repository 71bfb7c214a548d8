import { readFile } from 'node:fs/promises';
import { connect, isIP, type Socket } from 'node:net';
import { type ConnectionOptions, connect as secure } from 'node:tls';
import type { Encryption } from '../../database-address.ts';
import type { Address } from './hosts.ts';

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
  const isVerifying = mode === 'verify-ca' || mode === 'verify-full';
  if (!isDirect && !(await offersTls(socket, signal))) {
    if (mode === 'prefer') return socket;
    throw Object.assign(new Error('The database server offers no TLS'), { code: 'TLS_NOT_OFFERED' });
  }
  const host = 'host' in address ? address.host : 'localhost';
  const options: ConnectionOptions = {
    socket,
    host,
    rejectUnauthorized: isVerifying,
    ...(mode === 'verify-ca' ? { checkServerIdentity: () => undefined } : {}),
    ...(await readFiles(encryption)),
    ...(isIP(host) === 0 ? { servername: host } : {}),
    ...(isDirect ? { ALPNProtocols: ['postgresql'] } : {}),
  };
  const encrypted = secure(options);
  await waitForEvent(encrypted, 'secureConnect', signal);
  return encrypted;
}

/** Again for each connection, because certificates expire. */
async function readFiles({ authorities, certificate, key }: Encryption): Promise<ConnectionOptions> {
  const read = async (path: string | undefined) => {
    if (path === undefined) return undefined;
    return await readFile(path).catch((error: unknown) => {
      throw Object.assign(new Error(`the file ${path} cannot be read`), { code: 'TLS_FILE_UNREADABLE', cause: error });
    });
  };
  const [ca, cert, secret] = await Promise.all([read(authorities), read(certificate), read(key)]);
  return { ...(ca && { ca }), ...(cert && { cert }), ...(secret && { key: secret }) };
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
