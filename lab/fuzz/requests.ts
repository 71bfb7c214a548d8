import fc from 'fast-check';
import { naughty, naughtyText, type Schema, type Vocabulary, valueFor } from './values.ts';

export const senders = ['stranger', 'owner', 'clerk', 'accountant', 'token'] as const;
export type Sender = (typeof senders)[number];

export type FuzzedRequest = {
  readonly sender: Sender;
  readonly site: 'shop' | 'office';
  readonly method: string;
  readonly target: string;
  readonly headers: readonly (readonly [string, string])[];
  readonly body: Buffer | undefined;
};

export type Route = {
  readonly method: string;
  readonly path: string;
  readonly parameters: readonly { readonly name: string; readonly in: string; readonly schema: Schema }[];
  readonly mediaType: string | undefined;
  readonly body: Schema | undefined;
};

const pages = [
  '/',
  '/checkout',
  '/compare',
  '/receipt',
  '/admin',
  '/admin/orders',
  '/embed.js',
  '/assets/x.js',
  '/dev/api',
];

export function requestsTo(routes: readonly Route[], vocabulary: Vocabulary): fc.Arbitrary<FuzzedRequest> {
  return fc.oneof(
    ...routes.map((route) => ({ weight: 20, arbitrary: requestTo(route, vocabulary) })),
    { weight: 60, arbitrary: requestToPage() },
    { weight: 60, arbitrary: requestToNothing() },
  );
}

function requestTo(route: Route, vocabulary: Vocabulary): fc.Arbitrary<FuzzedRequest> {
  const own = /^\/api\/admin/.test(route.path) ? 'office' : 'shop';
  const target = fc
    .tuple(pathOf(route, vocabulary), suffix, queryOf(route, vocabulary))
    .map(([path, end, query]) => path + end + query);
  return fc.record({
    sender: fc.constantFrom(...senders, 'owner', 'owner'),
    site: mostly(own, fc.constantFrom('shop', 'office')),
    method: mostly(route.method, otherMethod),
    target,
    headers: headersFor(route.mediaType ?? (route.method === 'GET' ? undefined : 'application/json')),
    body: bodyOf(route, vocabulary),
  });
}

function requestToPage(): fc.Arbitrary<FuzzedRequest> {
  const target = fc
    .tuple(
      fc.constantFrom(...pages),
      suffix,
      fc.option(
        naughtyText.map((text) => `?search=${encoded(text)}`),
        { nil: '' },
      ),
    )
    .map(([path, end, query]) => path + end + query);
  return strangeRequest(target);
}

function requestToNothing(): fc.Arbitrary<FuzzedRequest> {
  const segments = fc.array(fc.oneof(naughtyText.map(encoded), naughtyText), { minLength: 1, maxLength: 5 });
  const start = fc.constantFrom('/', '/api/', '/api/admin/', '/assets/', '/images/', '/.well-known/');
  return strangeRequest(fc.tuple(start, segments).map(([first, rest]) => first + rest.join('/').slice(0, 15_500)));
}

function strangeRequest(target: fc.Arbitrary<string>): fc.Arbitrary<FuzzedRequest> {
  return fc.record({
    sender: fc.constantFrom(...senders),
    site: fc.constantFrom('shop', 'office'),
    method: mostly('GET', otherMethod),
    target: target.map((text) => text.slice(0, 15_500)),
    headers: headersFor(undefined),
    body: fc.option(anyBody, { nil: undefined, freq: 8 }),
  });
}

function mostly<Value>(usual: Value, other: fc.Arbitrary<Value>): fc.Arbitrary<Value> {
  return fc.oneof({ weight: 12, arbitrary: fc.constant(usual) }, { weight: 1, arbitrary: other });
}

const otherMethod = fc.constantFrom(
  'GET',
  'HEAD',
  'POST',
  'PUT',
  'PATCH',
  'DELETE',
  'OPTIONS',
  'TRACE',
  'PROPFIND',
  'get',
);

const suffix = mostly(
  '',
  fc.oneof(
    fc.constantFrom(
      '/',
      '//',
      '/.',
      '/..',
      '/..;/',
      ';x=1',
      '%00',
      '.json',
      '%2f',
      '%2F..%2F',
      '/%2e%2e/',
      '#x',
      '%',
      '%ff',
    ),
    naughtyText.map((text) => `/${encoded(text)}`.slice(0, 15_000)),
  ),
);

/** `encodeURIComponent` throws at half of a surrogate pair. */
function encoded(text: string): string {
  return encodeURIComponent(text.toWellFormed());
}

function pathOf({ path, parameters }: Route, vocabulary: Vocabulary): fc.Arbitrary<string> {
  const inPath = parameters.filter((parameter) => parameter.in === 'path');
  const values = inPath.map(({ name, schema }) => valueFor(vocabulary, schema, name));
  return fc
    .tuple(...values)
    .map((chosen) =>
      inPath
        .reduce((filled, { name }, index) => filled.replace(`{${name}}`, () => encoded(textOf(chosen[index]))), path)
        .slice(0, 12_000),
    );
}

/** Its `toString` may be anything. */
function textOf(value: unknown): string {
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}

function queryOf({ parameters }: Route, vocabulary: Vocabulary): fc.Arbitrary<string> {
  const inQuery = parameters.filter((parameter) => parameter.in === 'query');
  const pairs = inQuery.map(({ name, schema }) =>
    fc.option(
      valueFor(vocabulary, schema, name).map((value) => `${name}=${encoded(textOf(value)).slice(0, 3_000)}`),
      { nil: undefined },
    ),
  );
  const strange = mostly(
    '',
    fc.tuple(naughtyText, naughtyText).map(([name, value]) => `${encoded(name)}=${value}`),
  );
  return fc.tuple(fc.tuple(...pairs), strange).map(([chosen, more]) => {
    const query = [...chosen, more].filter((pair) => pair !== undefined && pair !== '').join('&');
    return query === '' ? '' : `?${query.slice(0, 12_000)}`;
  });
}

const otherTypes = [
  'text/plain',
  'application/x-www-form-urlencoded',
  'application/xml',
  'multipart/form-data',
  'multipart/form-data; boundary=""',
  'application/json; charset=utf-16',
  'application/csp-report',
  '',
  'a'.repeat(3_000),
];

const strangeHeaders: readonly string[] = [
  'accept',
  'accept-encoding',
  'accept-language',
  'cookie',
  'authorization',
  'host',
  'if-none-match',
  'if-modified-since',
  'range',
  'origin',
  'referer',
  'user-agent',
  'x-forwarded-for',
  'x-forwarded-proto',
  'x-http-method-override',
  'x-original-url',
  'x-request-id',
  'x-square-hmacsha256-signature',
  'forwarded',
  'te',
  '__proto__',
];

const strangeHeader = fc.tuple(
  fc.constantFrom(...strangeHeaders),
  fc.oneof(
    naughtyText.map((text) => text.slice(0, 8_000)),
    fc.constantFrom(
      'br',
      'gzip;q=abc',
      'bytes=0-1',
      'bytes=5-1,-3',
      'Bearer ',
      'Basic YTpi',
      'W/"x"',
      '*',
      '[::1]:99999',
    ),
  ),
);

function headersFor(mediaType: string | undefined): fc.Arbitrary<FuzzedRequest['headers']> {
  const usual = mediaType?.startsWith('multipart/') === true ? `multipart/form-data; boundary=${boundary}` : mediaType;
  const type = mostly(usual, fc.constantFrom(...otherTypes));
  const site = mostly('same-origin', fc.constantFrom('cross-site', 'same-site', 'none', '', 'x'));
  const more = fc.oneof(
    { weight: 6, arbitrary: fc.constant([]) },
    { weight: 2, arbitrary: fc.array(strangeHeader, { maxLength: 3 }) },
  );
  return fc
    .tuple(type, site, more)
    .map(([contentType, fetchSite, others]) => [
      ['sec-fetch-site', fetchSite] as const,
      ...(contentType === undefined ? [] : [['content-type', contentType] as const]),
      ...others,
    ]);
}

function bodyOf(route: Route, vocabulary: Vocabulary): fc.Arbitrary<Buffer | undefined> {
  if (route.method === 'GET') return fc.option(anyBody, { nil: undefined, freq: 20 });
  const { mediaType, body = {} } = route;
  const fitting =
    mediaType?.startsWith('multipart/') === true ? multipart : valueFor(vocabulary, body).map((value) => json(value));
  return fc.oneof({ weight: 20, arbitrary: fitting }, { weight: 3, arbitrary: anyBody });
}

function json(value: unknown): Buffer {
  return Buffer.from(JSON.stringify(value) ?? '');
}

const almostLimit = 255 * 1024;
const largeBodies: readonly (() => string)[] = [
  () => '['.repeat(100_000),
  () => '{"a":'.repeat(50_000),
  () => `${'['.repeat(50_000)}${']'.repeat(50_000)}`,
  () => `"${'a'.repeat(almostLimit)}"`,
  () => `[${'0,'.repeat(almostLimit / 2 - 10)}0]`,
  () => `{"rugs":[${'{},'.repeat(60_000)}{}]}`,
  () => `{${Array.from({ length: 20_000 }, (_, index) => `"k${index}":1`).join(',')}}`,
  () => `{"search":"${'\\u0000'.repeat(40_000)}"}`,
  () => '9'.repeat(almostLimit),
  () => ' '.repeat(almostLimit),
  () => 'x'.repeat(300_000),
];

const anyBody: fc.Arbitrary<Buffer> = fc.oneof(
  { weight: 6, arbitrary: naughty.map(json) },
  { weight: 3, arbitrary: fc.uint8Array({ maxLength: 200 }).map((bytes) => Buffer.from(bytes)) },
  { weight: 3, arbitrary: fc.constantFrom(...largeBodies).map((make) => Buffer.from(make())) },
  {
    weight: 2,
    arbitrary: fc
      .constantFrom(
        '{"__proto__":{"isAdmin":true}}',
        '{"constructor":{"prototype":{"x":1}}}',
        '{"a":1,"a":2}',
        '{"a":01}',
      )
      .map((text) => Buffer.from(text)),
  },
);

const boundary = 'fuzz';
const png = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);

const multipart: fc.Arbitrary<Buffer> = fc
  .tuple(
    fc.oneof(
      fc.constant(png),
      fc.uint8Array({ maxLength: 500 }).map((bytes) => Buffer.concat([png.subarray(0, 33), bytes])),
    ),
    naughtyText,
    fc.constantFrom('image/png', 'image/svg+xml', 'text/html', ''),
  )
  .map(([file, name, type]) =>
    Buffer.concat([
      Buffer.from(
        `--${boundary}\r\ncontent-disposition: form-data; name="file"; filename="${name.replaceAll(/[\r\n"]/g, '')}"\r\ncontent-type: ${type}\r\n\r\n`,
      ),
      file,
      Buffer.from(`\r\n--${boundary}--\r\n`),
    ]),
  );
