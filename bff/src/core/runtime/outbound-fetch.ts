/** Only at the configured origins. */
export type OutboundFetch = (url: string, request: RequestInit) => Promise<Response>;

export type OutboundOptions = { readonly origins: readonly string[]; readonly timeoutSeconds: number };

/** A redirect is an error: a service must not decide where our data are sent. */
export function createOutboundFetch({ origins, timeoutSeconds }: OutboundOptions): OutboundFetch {
  return async (url, request) => {
    const { origin } = new URL(url);
    if (!origins.includes(origin)) throw new Error(`Requests to ${origin} are not allowed`);
    return await fetch(url, { ...request, redirect: 'error', signal: AbortSignal.timeout(timeoutSeconds * 1000) });
  };
}
