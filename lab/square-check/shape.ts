/** The type of each field, by its path. */
export type Shape = ReadonlyMap<string, string>;

/** `payment.card_details.card.bin` is a string; list items share a path. */
export function shapeOf(value: unknown, path = ''): Shape {
  if (Array.isArray(value)) return new Map(value.flatMap((item) => [...shapeOf(item, `${path}[]`)]));
  if (typeof value !== 'object' || value === null) {
    return value === undefined ? new Map() : new Map([[path, value === null ? 'null' : typeof value]]);
  }
  return new Map(
    Object.entries(value).flatMap(([name, item]) => [...shapeOf(item, path === '' ? name : `${path}.${name}`)]),
  );
}

/** One line for each field that only one side has, or that has another type there. */
export function differencesOf(real: Shape, local: Shape): readonly string[] {
  return [...new Set([...real.keys(), ...local.keys()])].toSorted().flatMap((path) => {
    const [here, there] = [real.get(path), local.get(path)];
    if (here === there) return [];
    if (there === undefined) return [`+ ${path}: ${here}`];
    return here === undefined ? [`- ${path}`] : [`~ ${path}: ${here}, not ${there}`];
  });
}

/** Words of Square's own: statuses, codes, brands. */
const word = /^[A-Z][A-Z_]+$/;
const isId = /(^|_)(id|ids|token|key|fingerprint|cursor)$/;

/** The same id gets the same stand-in; words and times stay, any other text goes. */
export function createAnonymizer(): (value: unknown, name?: string) => unknown {
  const ids = new Map<string, string>();
  const standIn = (id: string) => {
    const known = ids.get(id) ?? `id-${ids.size + 1}`;
    ids.set(id, known);
    return known;
  };
  const textOf = (text: string, name: string) => {
    if (isId.test(name)) return standIn(text);
    if (word.test(text) || /^\d{4}-\d\d-\d\d(T|$)|^P/.test(text)) return text;
    // Our refund's id, or our order's.
    return /^\d+$/.test(text) ? '0'.repeat(text.length) : text.startsWith('https://') ? 'https://example.com/' : 'x';
  };
  const anonymize = (value: unknown, name = ''): unknown => {
    if (Array.isArray(value)) return value.map((item) => anonymize(item, name));
    if (typeof value === 'string') return textOf(value, name);
    if (typeof value !== 'object' || value === null) return value;
    const entries = Object.entries(value).filter(([part]) => part !== 'coordinates');
    return Object.fromEntries(entries.map(([part, item]) => [part, anonymize(item, part)]));
  };
  return anonymize;
}
