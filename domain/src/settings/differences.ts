import type { Settings } from './settings.ts';

/** By its path (`tierPrices.premium`); an absent value is `undefined`. */
export type SettingsDifference = { readonly path: string; readonly before: unknown; readonly after: unknown };

/** In field order. A list is one field, because people edit it as one. */
export function differencesBetween(before: Settings, after: Settings): readonly SettingsDifference[] {
  const earlier = leavesOf(before);
  const later = leavesOf(after);
  return [...new Set([...earlier.keys(), ...later.keys()])]
    .map((path) => ({ path, before: earlier.get(path), after: later.get(path) }))
    .filter((difference) => !isSame(difference.before, difference.after));
}

export function leavesOf(settings: Settings): ReadonlyMap<string, unknown> {
  const { more, ...known } = settings;
  const leaves = new Map<string, unknown>();
  const walk = (value: unknown, path: string) => {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) leaves.set(path, value);
    else for (const [key, part] of Object.entries(value)) walk(part, path === '' ? key : `${path}.${key}`);
  };
  walk(known, '');
  for (const [name, value] of Object.entries(more)) leaves.set(name, value);
  return leaves;
}

/** JSON values, whatever the order of their keys. */
function isSame(first: unknown, second: unknown): boolean {
  if (typeof first !== 'object' || typeof second !== 'object' || first === null || second === null) {
    return first === second;
  }
  if (Array.isArray(first) !== Array.isArray(second)) return false;
  const parts = new Map(Object.entries(first));
  const others = Object.entries(second);
  return (
    parts.size === others.length && others.every(([key, value]) => parts.has(key) && isSame(parts.get(key), value))
  );
}
