import { confirmSuccess, outboundTo, type Witness } from './witness.ts';

export type EndpointPlace = {
  readonly url: string;
  /** Sent as a bearer token. */
  readonly token: string | undefined;
};

const mostCharacters = 1000;

/** Posts notes as text to an HTTPS endpoint, which confirms with any status from 200 to 299. */
export function endpointWitness({ url, token }: EndpointPlace): Witness {
  const outbound = outboundTo(url);
  return {
    kind: 'endpoint',
    to: new URL(url).hostname,
    send: async ({ note }) => {
      const answer = await outbound(url, {
        method: 'POST',
        headers: {
          'content-type': 'text/plain; charset=utf-8',
          ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
        },
        body: note,
      });
      confirmSuccess(answer);
      return `${answer.status} ${(await answer.text()).slice(0, mostCharacters)}`.replaceAll('\0', '').trim();
    },
  };
}
