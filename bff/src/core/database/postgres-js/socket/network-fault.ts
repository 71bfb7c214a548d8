/** Another host may work. */
export function isNetworkFault(error: Error): boolean {
  const code = 'code' in error ? String(error.code) : '';
  return /^(ECONN|EPIPE|EHOST|ENET|ETIMEDOUT|EADDR|EAI_|ENOTFOUND|ENOENT|57P0|53300)/.test(code);
}

export function faultOf(code: 'ECONNRESET' | 'ETIMEDOUT' | 'CONNECTION_UNCONFIRMED', message: string): Error {
  return Object.assign(new Error(message), { code });
}
