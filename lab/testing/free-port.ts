import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { createServer } from 'node:net';

/**
 * Operating systems give none of these to a program that asks for any free port, or to an outgoing connection, so the
 * port stays free until it is used, and while its server restarts.
 */
const [first, count] = [10_000, 20_000];

/** For a server that cannot choose its port itself, or that must come back at the same address. */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = first + Math.floor(Math.random() * count);
    if ((await claim(port)) && (await isFree(port))) return port;
  }
}

/**
 * The datagram port of this number is the claim: no other process of these tests gets it before this one ends.
 * @returns false if another one has it.
 */
async function claim(port: number): Promise<boolean> {
  const socket = createSocket('udp4').unref();
  socket.bind({ port, address: '127.0.0.1', exclusive: true });
  return await once(socket, 'listening').then(
    () => true,
    () => false,
  );
}

async function isFree(port: number): Promise<boolean> {
  const server = createServer().listen(port, '127.0.0.1');
  try {
    await once(server, 'listening');
  } catch {
    return false;
  }
  server.close();
  await once(server, 'close');
  return true;
}
