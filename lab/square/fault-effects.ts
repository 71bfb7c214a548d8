import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import type { HttpBindings } from '@hono/node-server';
import { RESPONSE_ALREADY_SENT } from '@hono/node-server/utils/response';
import type { Context } from 'hono';
import type { RequestFault } from './faults.ts';

/** Node's request and response, to break connections with, and the fault. */
export type HttpEnv = { Bindings: HttpBindings; Variables: { fault: RequestFault | undefined } };

type HttpContext = Context<HttpEnv>;
type Serve = () => Promise<void>;

export async function applyFault(c: HttpContext, serve: Serve, fault: RequestFault): Promise<Response> {
  switch (fault.kind) {
    case 'hang-before':
      return hang(c);
    case 'drop-before':
      return drop(c);
    case 'status':
      return errorAnswer(fault);
    case 'html':
    case 'empty':
      if (fault.after) await serve();
      return fault.kind === 'html' ? html(fault.status) : new Response(null, { status: fault.status });
    case 'delay':
      await sleep(fault.ms);
      await serve();
      return c.res;
    case 'say-status':
      await serve();
      return sayStatus(c.res, fault.word);
    default:
      await serve();
      return loseAnswer(c, fault);
  }
}

type AnswerFault = Extract<RequestFault, { kind: `${string}-after` | 'truncate' | 'stall-body' }>;

async function loseAnswer(c: HttpContext, fault: AnswerFault): Promise<Response> {
  switch (fault.kind) {
    case 'hang-after':
      return hang(c);
    case 'drop-after':
      return drop(c);
    case 'status-after':
      return errorAnswer(fault);
    case 'truncate':
      return sendHalf(c, () => c.env.outgoing.destroy());
    case 'stall-body':
      return sendHalf(c, async (rest) => {
        await sleep(fault.ms, undefined, { ref: false });
        c.env.outgoing.end(rest);
      });
  }
}

async function sayStatus(answer: Response, word: string): Promise<Response> {
  const body = (await answer.text()).replaceAll(/"status":"\w+"/g, `"status":"${word}"`);
  return new Response(body, { status: answer.status, headers: { 'content-type': 'application/json' } });
}

async function hang(c: HttpContext): Promise<Response> {
  if (!c.env.outgoing.closed) await once(c.env.outgoing, 'close');
  return RESPONSE_ALREADY_SENT;
}

function drop(c: HttpContext): Response {
  c.env.incoming.socket.destroy();
  return RESPONSE_ALREADY_SENT;
}

async function sendHalf(c: HttpContext, then: (rest: Buffer) => unknown): Promise<Response> {
  const { outgoing } = c.env;
  const body = Buffer.from(await c.res.arrayBuffer());
  const half = Math.floor(body.length / 2);
  outgoing.writeHead(c.res.status, { ...Object.fromEntries(c.res.headers), 'content-length': body.length });
  await new Promise((resolve) => outgoing.write(body.subarray(0, half), resolve));
  await then(body.subarray(half));
  return RESPONSE_ALREADY_SENT;
}

function html(status: number): Response {
  const headers = { 'content-type': 'text/html' };
  return new Response(`<html><body><h1>${status} from a proxy</h1></body></html>`, { status, headers });
}

type ErrorFault = Extract<RequestFault, { kind: 'status' | 'status-after' }>;

function errorAnswer({ status, headers, ...fault }: ErrorFault): Response {
  const usual = usualErrors[status] ?? ['INVALID_REQUEST_ERROR', 'BAD_REQUEST'];
  const {
    category = usual[0],
    code = usual[1],
    detail = 'A fault that was set in the local test environment.',
    field,
  } = fault;
  return Response.json({ errors: [{ category, code, detail, field }] }, { status, headers });
}

const usualErrors: Readonly<Record<number, readonly [category: string, code: string]>> = {
  401: ['AUTHENTICATION_ERROR', 'UNAUTHORIZED'],
  403: ['AUTHENTICATION_ERROR', 'FORBIDDEN'],
  404: ['INVALID_REQUEST_ERROR', 'NOT_FOUND'],
  408: ['API_ERROR', 'REQUEST_TIMEOUT'],
  409: ['INVALID_REQUEST_ERROR', 'CONFLICT'],
  429: ['RATE_LIMIT_ERROR', 'RATE_LIMITED'],
  500: ['API_ERROR', 'INTERNAL_SERVER_ERROR'],
  502: ['API_ERROR', 'BAD_GATEWAY'],
  503: ['API_ERROR', 'SERVICE_UNAVAILABLE'],
  504: ['API_ERROR', 'GATEWAY_TIMEOUT'],
};
