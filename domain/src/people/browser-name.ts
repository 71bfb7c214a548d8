/** Ordered: most browsers also name the following ones. */
const browsers = [
  ['Edge', /Edg\w*\//],
  ['Opera', /OPR\//],
  ['Samsung Internet', /SamsungBrowser\//],
  ['Firefox', /(Firefox|FxiOS)\//],
  ['Chrome', /(Chrome|CriOS|HeadlessChrome)\//],
  ['Safari', /Safari\//],
] as const;

const systems = [
  ['Android', /Android/],
  ['iPhone', /iPhone/],
  ['iPad', /iPad/],
  ['Windows', /Windows/],
  ['Mac', /Mac OS X/],
  ['Linux', /Linux/],
] as const;

/** `Firefox on Windows`; undefined for an unknown user agent. */
export function browserName(userAgent: string): string | undefined {
  const named = (known: readonly (readonly [string, RegExp])[]) =>
    known.find(([, pattern]) => pattern.test(userAgent))?.[0];
  const browser = named(browsers);
  const system = named(systems);
  return browser === undefined || system === undefined ? browser : `${browser} on ${system}`;
}
