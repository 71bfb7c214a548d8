import { hash } from 'node:crypto';

export function sha256(text: string): Buffer {
  return hash('sha256', text, 'buffer');
}

/**
 * This is not RFC 8785: values are written as `JSON.stringify` does, and keys that are array indexes come first, in
 * numeric order.
 */
export function canonicalJson(value: unknown): string {
  // A third faster than a replacer function, and every append writes its events here.
  return JSON.stringify(withSortedKeys(value));
}

function withSortedKeys(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withSortedKeys);
  if (!isPlainObject(value)) return value;
  const keys = Object.keys(value).sort();
  return Object.fromEntries(keys.map((key) => [key, withSortedKeys(value[key])]));
}

/** An object with `toJSON`, such as a date, writes its own text. */
function isPlainObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !('toJSON' in value);
}
