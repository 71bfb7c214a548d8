import { connect } from 'node:net';

/** Written to the socket without any check. */
export type RawRequest = {
  readonly method: string;
  readonly target: string;
  readonly headers: readonly (readonly [string, string])[];
  readonly body: Buffer | undefined;
};

/** `undefined`: the connection was closed without an answer. */
export type RawAnswer = { readonly status: number | undefined; readonly text: string };

/** Longer than every timeout of the server. */
const hangingMs = 20_000;
/** Enough to find a stack trace. Exports are longer. */
const keptBytes = 65_536;

/**
 * On its own connection; `fetch` would refuse or correct most of these requests.
 * @returns undefined without a complete answer after 20 seconds.
 */
export function sendBytes(url: string, request: RawRequest): Promise<RawAnswer | undefined> {
  const { hostname, port } = new URL(url);
  return new Promise((resolve) => {
    const chunks: Buffer[] = [];
    let kept = 0;
    const socket = connect({ host: hostname, port: Number(port) });
    const timer = setTimeout(() => {
      resolve(undefined);
      socket.destroy();
    }, hangingMs);
    socket.on('connect', () => socket.write(bytesOf(request)));
    socket.on('data', (chunk) => {
      if (kept < keptBytes) chunks.push(chunk);
      kept += chunk.length;
    });
    // After a refusal the server does not read the rest of the body. What it answered before counts.
    socket.on('error', () => socket.destroy());
    socket.on('close', () => {
      clearTimeout(timer);
      const text = Buffer.concat(chunks).toString('utf8');
      const [, status] = /^HTTP\/1\.1 (\d{3})/.exec(text) ?? [];
      resolve({ status: status === undefined ? undefined : Number(status), text });
    });
  });
}

function bytesOf({ method, target, headers, body }: RawRequest): Buffer {
  const length: readonly (readonly [string, string])[] =
    body === undefined ? [] : [['content-length', String(body.length)]];
  // A line break would begin another request, whose answer this client does not wait for.
  const lines = [...headers, ['connection', 'close'] as const, ...length].map(
    ([name, value]) => `${name}: ${value.replaceAll(/[\r\n]/g, ' ')}\r\n`,
  );
  const head = `${method} ${target.replaceAll(/[\r\n ]/g, '+')} HTTP/1.1\r\n${lines.join('')}\r\n`;
  return Buffer.concat([Buffer.from(head), body ?? Buffer.alloc(0)]);
}
