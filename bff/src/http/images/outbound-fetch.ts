/** Calls a service of somebody else's: at the origins that were named at the start and nowhere else. */
export type OutboundFetch = (url: string, request: RequestInit) => Promise<Response>;

export type OutboundOptions = { readonly origins: readonly string[]; readonly timeoutSeconds: number };

/** A redirect is an error: what a service says must not decide where a request with our data goes. */
export function createOutboundFetch({ origins, timeoutSeconds }: OutboundOptions): OutboundFetch {
  return async (url, request) => {
    const { origin } = new URL(url);
    if (!origins.includes(origin)) throw new Error(`Nothing is fetched from ${origin}`);
    return await fetch(url, { ...request, redirect: 'error', signal: AbortSignal.timeout(timeoutSeconds * 1000) });
  };
}
