import type { Bytes } from './bytes.ts';

/** Finds a name in bytes without making a string of them. */
export type KnownNames = {
  /** The index of the name in the list, or -1. */
  readonly find: (name: Bytes) => number;
};

export function knowNames(names: readonly string[]): KnownNames {
  const known = names.map((name, place) => ({ name: Buffer.from(name), place }));
  const longest = Math.max(...known.map(({ name }) => name.length));
  const byLength = Array.from({ length: longest + 1 }, (_, length) =>
    known.filter(({ name }) => name.length === length),
  );
  return {
    find: ({ buffer, at, end }) => {
      const likely = byLength[end - at];
      if (likely === undefined) return -1;
      for (const { name, place } of likely) if (standsAt(name, buffer, at)) return place;
      return -1;
    },
  };
}

export function standsAt(name: Buffer, bytes: Buffer, at: number): boolean {
  for (let index = 0; index < name.length; index += 1) if (bytes[at + index] !== name[index]) return false;
  return true;
}
