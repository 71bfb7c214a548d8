import type { CardProcessor } from '../../bff/src/core/square/card-processor.ts';
import { createSquareProcessor } from '../../bff/src/core/square/square.ts';

/** A Square that the checks ask, with the server's own code and with plain HTTP. */
export type Target = {
  readonly card: CardProcessor;
  /** With another token or location. */
  readonly cardWith: (changed: Partial<Account>) => CardProcessor;
  readonly call: (method: string, path: string, body?: object) => Promise<Answered>;
  readonly account: Account;
  readonly scriptUrl: string;
  /** Of the page's content security policy. */
  readonly hosts: readonly string[];
  /** Square's lists are some seconds late. */
  readonly lateSeconds: number;
  readonly recorded: readonly Recorded[];
};

export type Account = { readonly accessToken: string; readonly applicationId: string; readonly locationId: string };
export type Answered = { readonly status: number; readonly body: unknown };
export type Recorded = Answered & { readonly call: string };

export type Place = Account & {
  readonly baseUrl: string;
  readonly scriptUrl: string;
  readonly hosts?: readonly string[];
  readonly lateSeconds?: number;
};

/** A proxy is not needed to record: the raw calls cover each endpoint that the server asks. */
export function openTarget({ baseUrl, scriptUrl, hosts = [], lateSeconds = 0, ...account }: Place): Target {
  const recorded: Recorded[] = [];
  const cardWith = (changed: Partial<Account>) => createSquareProcessor({ ...account, ...changed, baseUrl });
  return {
    ...{ cardWith, card: cardWith({}), account, scriptUrl, hosts, lateSeconds, recorded },
    call: async (method, path, body) => {
      const answer = await fetch(`${baseUrl}/v2${path}`, {
        method,
        headers: {
          authorization: `Bearer ${account.accessToken}`,
          'content-type': 'application/json',
          'square-version': '2026-09-16',
        },
        signal: AbortSignal.timeout(20_000),
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      });
      const answered = { status: answer.status, body: (await answer.json().catch(() => ({}))) as unknown };
      const endpoint = path.replace(/\?.*/, '').replace(/^(\/\w+)\/(?!cancel)[^/]+/, '$1/*');
      recorded.push({ call: `${method} /v2${endpoint}`, ...answered });
      return answered;
    },
  };
}
