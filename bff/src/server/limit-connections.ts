import type { Server } from 'node:http';
import { isIPv4 } from 'node:net';
import { clientAt } from './throttle/client-address.ts';

/**
 * Closes each new connection of an address that has `most` open ones, so that one address cannot
 * take all connections of the server. IPv6 addresses count by /64, because one household has all
 * addresses of that network.
 */
export function limitConnections(server: Server, most: number): void {
  const open = new Map<string, number>();
  server.on('connection', (socket) => {
    const key = keyOf(socket.remoteAddress ?? '');
    const count = open.get(key) ?? 0;
    if (count >= most) {
      socket.destroy();
      return;
    }
    open.set(key, count + 1);
    socket.once('close', () => {
      const left = (open.get(key) ?? 1) - 1;
      if (left === 0) open.delete(key);
      else open.set(key, left);
    });
  });
}

function keyOf(remoteAddress: string): string {
  const client = clientAt(remoteAddress);
  if (client === undefined) return remoteAddress;
  return isIPv4(client.address) ? client.address : client.network;
}
