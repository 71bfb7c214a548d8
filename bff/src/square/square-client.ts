import type { SquareClient, SquareError } from 'square';
import { z } from 'zod';
import type { UnknownOutcome } from './card-processor.ts';
import { classifyFailure, type Refused, type SquareFailure, unknown, unrecognized } from './square-answer.ts';

/** Which Square is spoken to, and as whom. The files `square*.ts` alone know its SDK, its camel case and its big integers. */
export type SquareOptions = {
  readonly accessToken: string;
  readonly locationId: string;
  /** From sending to the last byte of the answer. */
  readonly timeoutSeconds?: number;
} & ({ readonly environment: 'sandbox' | 'production' } | { readonly baseUrl: string });

type Connection = { readonly client: SquareClient; readonly isSquareError: (error: unknown) => error is SquareError };
type Deadline = { readonly abortSignal: AbortSignal; readonly timeoutInSeconds: number };
export type Call = (client: SquareClient, deadline: Deadline) => Promise<unknown>;
export type Asked = { readonly kind: 'answered'; readonly body: unknown } | Refused | UnknownOutcome;
export type Ask = (call: Call) => Promise<Asked>;

const squareServers = {
  sandbox: 'https://connect.squareupsandbox.com',
  production: 'https://connect.squareup.com',
} as const;

export function connectToSquare(options: SquareOptions): () => Promise<Connection> {
  let connection: Promise<Connection> | undefined;
  const open = async (): Promise<Connection> => {
    const { SquareClient, SquareError } = await import('square');
    const client = new SquareClient({
      token: options.accessToken,
      baseUrl: 'baseUrl' in options ? options.baseUrl : squareServers[options.environment],
      // Recovery from an unknown outcome is the settle worker's; a silent second try would hide it and double the wait.
      maxRetries: 0,
    });
    return { client, isSquareError: (error) => error instanceof SquareError };
  };
  return () => {
    connection ??= open();
    return connection;
  };
}

/** Makes one call and sorts what comes back. The SDK's own time-out stops counting at the headers, so a signal covers the body too. */
export async function askSquare(connecting: Promise<Connection>, call: Call, timeoutSeconds: number): Promise<Asked> {
  const { client, isSquareError } = await connecting;
  const abortSignal = AbortSignal.timeout(Math.round(timeoutSeconds * 1000));
  try {
    // The SDK's timer is set later than the signal: whichever cut the call, it was the one deadline.
    return { kind: 'answered', body: await call(client, { abortSignal, timeoutInSeconds: timeoutSeconds + 1 }) };
  } catch (error) {
    if (error instanceof Error && error.name === 'JsonError') throw error; // Our request was malformed; it was never sent.
    if (abortSignal.aborted) return unknown(`no answer within ${timeoutSeconds} s`);
    return classifyFailure(isSquareError(error) ? failureOf(error) : unreadable);
  }
}

/** The bytes were sent and what came back could not be read at all: an empty 200 lands here. */
const unreadable: SquareFailure = {
  status: undefined,
  code: unrecognized,
  category: unrecognized,
  transport: 'not JSON',
};

const wireError = z.object({ code: z.string().regex(/^[A-Z][A-Z0-9_]*$/), category: z.string().regex(/^[A-Z_]+$/) });
const transportCause = z.object({ cause: z.object({ code: z.string() }).optional(), code: z.string().optional() });

/** Only codes leave this function: the error's message and body quote the buyer's e-mail and address. */
function failureOf(error: SquareError): SquareFailure {
  const first = wireError.safeParse(error.errors[0]).data;
  const cause = transportCause.safeParse(error.cause).data;
  return {
    status: error.statusCode,
    code: first?.code ?? unrecognized,
    category: first?.category ?? unrecognized,
    transport: cause?.cause?.code ?? cause?.code ?? 'connection lost',
  };
}
