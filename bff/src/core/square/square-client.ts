import type { SquareError } from 'square';
import { z } from 'zod';
import type { UnknownOutcome } from './card-processor.ts';
import { type Clients, loadSdk } from './load-sdk.ts';
import {
  classifyFailure,
  type Refused,
  refusedEmailCode,
  type SquareFailure,
  unknown,
  unrecognized,
} from './square-answer.ts';

/** Only the files `square*.ts` know the SDK with its camel case and bigints. */
export type SquareOptions = {
  readonly accessToken: string;
  readonly applicationId: string;
  readonly locationId: string;
  /** From sending the request to the last byte of the answer. */
  readonly timeoutSeconds?: number;
} & ({ readonly environment: 'sandbox' | 'production' } | { readonly baseUrl: string });

type Connection = { readonly client: Clients; readonly isSquareError: (error: unknown) => error is SquareError };
type Deadline = { readonly abortSignal: AbortSignal; readonly timeoutInSeconds: number };
export type Call = (client: Clients, deadline: Deadline) => Promise<unknown>;
export type Asked = { readonly kind: 'answered'; readonly body: unknown } | Refused | UnknownOutcome;
export type Ask = (call: Call) => Promise<Asked>;

const squareServers = {
  sandbox: 'https://connect.squareupsandbox.com',
  production: 'https://connect.squareup.com',
} as const;

export function connectToSquare(options: SquareOptions): () => Connection {
  let connection: Connection | undefined;
  const open = (): Connection => {
    const { connect, isSquareError } = loadSdk();
    const client = connect({
      token: options.accessToken,
      baseUrl: 'baseUrl' in options ? options.baseUrl : squareServers[options.environment],
      // The settle worker recovers unknown outcomes. A hidden retry would only double the wait.
      maxRetries: 0,
      // By default fetch follows a redirect: with a GET, which pays nothing, or by sending the card token elsewhere.
      fetch: async (url, request) => await fetch(url, { ...request, redirect: 'error' }),
    });
    return { client, isSquareError };
  };
  return () => {
    connection ??= open();
    return connection;
  };
}

/** The SDK's timeout ends at the headers, so an abort signal covers the body too. */
export async function askSquare(connection: Connection, call: Call, timeoutSeconds: number): Promise<Asked> {
  const { client, isSquareError } = connection;
  const aborter = new AbortController();
  // The SDK never stops listening to a signal: `AbortSignal.timeout` would keep each answer until its time is over.
  const timer = setTimeout(() => aborter.abort(), Math.round(timeoutSeconds * 1000));
  try {
    // The signal always fires before the SDK's own timeout.
    return {
      kind: 'answered',
      body: await call(client, { abortSignal: aborter.signal, timeoutInSeconds: timeoutSeconds + 1 }),
    };
  } catch (error) {
    // A JsonError means that our request was never sent.
    if (error instanceof Error && error.name === 'JsonError') throw error;
    if (aborter.signal.aborted) return unknown(`no answer within ${timeoutSeconds} s`);
    return classifyFailure(isSquareError(error) ? failureOf(error) : unreadable);
  } finally {
    clearTimeout(timer);
  }
}

/** An empty 200 is unreadable too. */
const unreadable: SquareFailure = {
  status: undefined,
  code: unrecognized,
  category: unrecognized,
  transport: 'not JSON',
};

const wireError = z.object({
  code: z.string().regex(/^[A-Z][A-Z0-9_]*$/),
  category: z.string().regex(/^[A-Z_]+$/),
  field: z.string().nullish(),
});
const transportCause = z.object({ cause: z.object({ code: z.string() }).optional(), code: z.string().optional() });

/** The error's message and body quote the buyer's e-mail and address. */
function failureOf(error: SquareError): SquareFailure {
  const first = wireError.safeParse(error.errors[0]).data;
  const cause = transportCause.safeParse(error.cause).data;
  return {
    status: error.statusCode,
    // `INVALID_VALUE` alone does not say what the customer has to correct.
    code: first?.field === 'buyer_email_address' ? refusedEmailCode : (first?.code ?? unrecognized),
    category: first?.category ?? unrecognized,
    transport: cause?.cause?.code ?? cause?.code ?? 'connection lost',
  };
}
