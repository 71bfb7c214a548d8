import { readFileSync } from 'node:fs';

type File = {
  readonly objects: Readonly<Record<string, Readonly<Record<string, string>>>>;
  readonly enums: Readonly<Record<string, string>>;
};

const file = JSON.parse(readFileSync(new URL('./published-schemas.json', import.meta.url), 'utf8')) as File;

export type Field = {
  readonly name: string;
  /** Another object, an enumeration, or a type of JSON. */
  readonly type: string;
  readonly longest: number;
  readonly isList: boolean;
  readonly isRequired: boolean;
  readonly isNullable: boolean;
};

const notation = /^(?<type>\w+)(?:<=(?<longest>\d+))?(?<list>\[\])?(?<required>!)?(?<nullable>\?)?$/;

function readField([name, text]: readonly [string, string]): Field {
  const { type = '', longest, list, required, nullable } = notation.exec(text)?.groups ?? {};
  return {
    ...{ name, type, longest: longest === undefined ? Number.POSITIVE_INFINITY : Number(longest) },
    ...{ isList: list !== undefined, isRequired: required !== undefined, isNullable: nullable !== undefined },
  };
}

const objects = new Map(
  Object.entries(file.objects).map(([object, fields]) => [object, Object.entries(fields).map(readField)]),
);

/** @returns undefined for an enumeration or a type of JSON. */
export function fieldsOf(object: string): readonly Field[] | undefined {
  return objects.get(object);
}

/** The objects in Square's answers and events, by their names there. */
export const schemaOf: Readonly<Record<string, string>> = {
  ...{ payment: 'Payment', payments: 'Payment', refund: 'PaymentRefund', refunds: 'PaymentRefund' },
  ...{ dispute: 'Dispute', disputes: 'Dispute', payout: 'Payout', payouts: 'Payout' },
  ...{ payout_entries: 'PayoutEntry', location: 'Location', errors: 'Error' },
};

/** @returns one line for each part that Square's published schema forbids. */
export function misfits(schema: string, value: unknown, path = schema): readonly string[] {
  const fields = fieldsOf(schema);
  if (fields === undefined) return isOf(schema, value) ? [] : [`${path}: ${JSON.stringify(value)} is no ${schema}`];
  if (!isObject(value)) return [`${path}: ${JSON.stringify(value)} is no ${schema}`];
  const known = new Set(fields.map(({ name }) => name));
  return [
    ...Object.keys(value).flatMap((name) => (known.has(name) ? [] : [`${path}.${name} is not published`])),
    ...fields.flatMap((field) => fieldMisfits(field, value[field.name], `${path}.${field.name}`)),
  ];
}

function fieldMisfits({ type, isList, ...field }: Field, value: unknown, path: string): readonly string[] {
  if (value === undefined) return field.isRequired ? [`${path} is required`] : [];
  if (value === null) return field.isNullable ? [] : [`${path} is null`];
  if (isList !== Array.isArray(value)) return [`${path} is ${isList ? 'no' : 'a'} list`];
  if (typeof value === 'string' && value.length > field.longest) return [`${path} is too long`];
  return (Array.isArray(value) ? value : [value]).flatMap((item) => misfits(type, item, path));
}

function isOf(type: string, value: unknown): boolean {
  if (type === 'integer') return Number.isInteger(value);
  const values = file.enums[type];
  return values === undefined ? typeof value === type : typeof value === 'string' && values.split(' ').includes(value);
}

export function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
