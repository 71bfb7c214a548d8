/** Writes to the browser's console. Never pass personal data, a token or a whole id. */
export function logInfo(message: string): void {
  // biome-ignore lint/suspicious/noConsole: the specification wants these logged, and the browser has no other log.
  console.info(message);
}

export function logWarning(message: string): void {
  // biome-ignore lint/suspicious/noConsole: as above.
  console.warn(message);
}
