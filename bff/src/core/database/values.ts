/** Arrays are sent, never read. */
export const textArray = {
  to: 1009,
  from: [1009],
  serialize: (values: TextArray): string => `{${values.map(arrayElement).join(',')}}`,
  parse: (): TextArray => {
    throw new Error('Arrays are not read from the database: select their elements.');
  },
};
export type TextArray = readonly (string | number | null)[];

function arrayElement(value: string | number | null): string {
  // Twice as fast as one regular expression, and every append needs it.
  return typeof value === 'string'
    ? `"${value.replaceAll('\\', String.raw`\\`).replaceAll('"', String.raw`\"`)}"`
    : String(value);
}

/** Cents, positions and versions stay far below 2^53. */
export const safeBigint = {
  to: 20,
  from: [20],
  serialize: (value: number) => String(value),
  parse: (text: string): number => {
    const value = Number(text);
    if (!Number.isSafeInteger(value))
      throw new RangeError(`PostgreSQL sent the bigint ${text}, which a number cannot hold exactly.`);
    return value;
  },
};

/** A text in a statement that is built from parts. */
export function literal(text: string): string {
  return `'${text.replaceAll("'", "''")}'`;
}
