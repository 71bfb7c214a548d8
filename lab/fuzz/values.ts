import fc from 'fast-check';

export type Schema = {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly anyOf?: readonly Schema[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: Schema | boolean;
  readonly items?: Schema;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly minLength?: number;
  readonly maxLength?: number;
};

export type Vocabulary = {
  readonly schemas: Readonly<Record<string, Schema>>;
  /** Values that lead to something, by field or parameter: `orderId`, `username`. */
  readonly known: Readonly<Record<string, readonly unknown[]>>;
};

const texts = [
  '',
  ' ',
  '\0',
  '\ud800',
  '__proto__',
  'constructor',
  'toString',
  "' or 1=1 --",
  "'; drop table ledger.event; --",
  '%',
  '_%_',
  '\\',
  '<%= 7*7 %>',
  '{{7*7}}',
  '../../../etc/passwd',
  '%2e%2e%2f',
  '<script>alert(1)</script>',
  '<svg/onload=alert(1)>',
  'javascript:alert(1)',
  '=cmd()',
  'a\r\nset-cookie: x=1',
  'NaN',
  'Infinity',
  '1e400',
  '-0',
  '0x10',
  '１２',
  '0.001',
  '9007199254740993',
  '0000-00-00',
  '2026-02-30',
  '9999-12-31',
  '+275760-09-13T00:00:00Z',
  '00000000-0000-0000-0000-000000000000',
  'null',
  'é'.normalize('NFD'),
  '👩‍👩‍👧‍👦',
  'ﷺ',
  '\u202e',
  '\ufeff',
  'https://a.test;sandbox/x.png',
  'http://169.254.169.254/',
];

/** Repeated, the worst cases of careless regular expressions and parsers. */
const pieces = [
  'a',
  '!%',
  ' ',
  '\t',
  '@',
  'a@',
  'a.',
  '-',
  '0',
  '(',
  '[',
  '<b>',
  '<',
  '&',
  '\\',
  '"',
  '\u0301',
  '👍',
  '%25',
];

const repeated = fc
  .tuple(fc.constantFrom(...pieces), fc.constantFrom(30, 300, 3_000, 30_000), fc.constantFrom('', '!', '@', '\0'))
  .map(([piece, times, end]) => piece.repeat(times).slice(0, 60_000) + end);

export const naughtyText: fc.Arbitrary<string> = fc.oneof(
  { weight: 4, arbitrary: fc.constantFrom(...texts) },
  { weight: 2, arbitrary: fc.string({ unit: 'binary', maxLength: 40 }) },
  { weight: 1, arbitrary: repeated },
);

const numbers = [-1, 0, -0, 0.1, 1.005, 1e-7, 1e21, 2 ** 31, 2 ** 53, -(2 ** 63), 1e308, 12_345_678_901];

export const naughty: fc.Arbitrary<unknown> = fc.oneof(
  { weight: 5, arbitrary: naughtyText },
  { weight: 2, arbitrary: fc.constantFrom<unknown>(...numbers, null, true, false, [], {}, [[]], [null]) },
  { weight: 1, arbitrary: fc.double() },
  { weight: 1, arbitrary: fc.jsonValue({ maxDepth: 4 }) },
  { weight: 1, arbitrary: fc.constantFrom(2, 200, 2_000).map(nested) },
  { weight: 1, arbitrary: fc.constantFrom(60, 3_000).map((length) => Array.from({ length }, (_, index) => index)) },
);

function nested(depth: number): unknown {
  let value: unknown = 1;
  for (let level = 0; level < depth; level += 1) value = level % 2 === 0 ? [value] : { a: value };
  return value;
}

/** Mostly what the schema asks for; each part may be replaced or absent. */
export function valueFor(vocabulary: Vocabulary, schema: Schema, name = ''): fc.Arbitrary<unknown> {
  const known = vocabulary.known[name] ?? [];
  const fitting = fittingValue(vocabulary, schema, name);
  return fc.oneof(
    { weight: 30, arbitrary: fitting },
    { weight: known.length > 0 ? 30 : 0, arbitrary: fc.constantFrom<unknown>(...known, null) },
    { weight: 2, arbitrary: naughty },
  );
}

function fittingValue(vocabulary: Vocabulary, schema: Schema, name: string): fc.Arbitrary<unknown> {
  if (schema.$ref !== undefined) {
    const referred = vocabulary.schemas[schema.$ref.slice(schema.$ref.lastIndexOf('/') + 1)] ?? {};
    return fittingValue(vocabulary, referred, name);
  }
  if (schema.anyOf !== undefined) {
    return fc.oneof(...schema.anyOf.map((option) => fittingValue(vocabulary, option, name)));
  }
  if ('const' in schema) return fc.constant(schema.const);
  if (schema.enum !== undefined) return fc.constantFrom(...schema.enum);
  const types = typeof schema.type === 'string' ? [schema.type] : (schema.type ?? []);
  if (types.length === 0) return fc.jsonValue({ maxDepth: 2 });
  return fc.oneof(...types.map((type) => valueOfType(vocabulary, { ...schema, type }, name)));
}

function valueOfType(vocabulary: Vocabulary, schema: Schema, name: string): fc.Arbitrary<unknown> {
  const { type, minimum = 0, maximum = 10_000, minLength = 0, maxLength = 40 } = schema;
  if (type === 'object') return objectOf(vocabulary, schema);
  if (type === 'array') return fc.array(valueFor(vocabulary, schema.items ?? {}, name), { maxLength: 4 });
  if (type === 'integer') return fc.integer({ min: Math.min(minimum, maximum), max: maximum });
  if (type === 'number') return fc.integer({ min: 0, max: 1_000_000 }).map((cents) => cents / 100);
  if (type === 'boolean') return fc.boolean();
  if (type === 'null') return fc.constant(null);
  return fc.oneof(
    fc.string({ minLength, maxLength: Math.max(minLength, Math.min(maxLength, 40)) }),
    fc.string({ unit: 'grapheme', minLength, maxLength: Math.max(minLength, Math.min(maxLength, 1_000)) }),
  );
}

function objectOf(vocabulary: Vocabulary, { properties = {}, additionalProperties }: Schema): fc.Arbitrary<unknown> {
  const fields = Object.entries(properties).map(([name, schema]) => [
    name,
    fc.oneof(
      { weight: 49, arbitrary: valueFor(vocabulary, schema, name) },
      { weight: 1, arbitrary: fc.constant(absent) },
    ),
  ]);
  const known = fc.record(Object.fromEntries(fields) as Record<string, fc.Arbitrary<unknown>>);
  const more = typeof additionalProperties === 'object' ? additionalProperties : {};
  const added = fc.dictionary(naughtyText, valueFor(vocabulary, more), { maxKeys: 2 });
  return fc
    .tuple(known, fc.oneof({ weight: 9, arbitrary: fc.constant({}) }, { weight: 1, arbitrary: added }))
    .map(([fitting, further]) => ({ ...further, ...fitting }));
}

/** `JSON.stringify` leaves such a field out. */
const absent = undefined;
