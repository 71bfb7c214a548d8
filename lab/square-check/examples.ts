import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Recorded } from './target.ts';

export type Examples = { readonly source: string; readonly answers: readonly Recorded[] };

export function readExamples(name: string): Examples {
  return JSON.parse(readFileSync(new URL(`fixtures/${name}`, import.meta.url), 'utf8')) as Examples;
}

/** A Square that gives each endpoint's example, whatever it is asked. */
export async function serveExamples({
  answers,
}: Examples): Promise<{ readonly url: string; readonly close: () => void }> {
  const server = createServer((request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? '', 'http://examples');
    const example = answers.find(({ call }) =>
      isLike(call.split(/[ /]/), [request.method ?? '', ...pathname.split('/')]),
    );
    const none = { status: 404, body: { errors: [{ category: 'INVALID_REQUEST_ERROR', code: 'NOT_FOUND' }] } };
    const { status, body } = example ?? none;
    // An example is one page, and its cursor leads to itself.
    response.writeHead(status, { 'content-type': 'application/json' });
    response.end(JSON.stringify(searchParams.has('cursor') ? {} : body));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, close: () => void server.close() };
}

function isLike(pattern: readonly string[], path: readonly string[]): boolean {
  return pattern.length === path.length && pattern.every((part, at) => part === '*' || part === path[at]);
}
