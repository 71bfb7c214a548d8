/** What a person who looks into the browser's console shall find there. Nothing personal, no token, no whole id. */
export function note(what: string): void {
  // biome-ignore lint/suspicious/noConsole: the specification wants these logged, and the browser has no other log.
  console.info(what);
}

export function warn(what: string): void {
  // biome-ignore lint/suspicious/noConsole: as above.
  console.warn(what);
}
