/** To the console. Never pass personal data, a token or a whole id. */
export function logInfo(message: string): void {
  // biome-ignore lint/suspicious/noConsole: the specification requires this log, and the browser has no other one.
  console.info(message);
}

export function logWarning(message: string): void {
  // biome-ignore lint/suspicious/noConsole: as above.
  console.warn(message);
}
