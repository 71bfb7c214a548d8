import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import * as z from 'zod/mini';
import { ApiError, load, request } from './api-client.ts';

const schema = z.object({ total: z.number() });
const fetched = vi.fn<typeof fetch>();

beforeEach(() => void vi.stubGlobal('fetch', fetched));
afterEach(() => {
  vi.unstubAllGlobals();
  fetched.mockReset();
});

const answers = (status: number, text: string, statusText = '') =>
  fetched.mockResolvedValue(new Response(text, { status, statusText }));

test('a call with a body is a JSON POST with cookies', async () => {
  answers(200, '{"total":476}');
  const answer = await request({ method: 'POST', path: '/api/quote', schema, body: { rugs: [] } });
  expect(answer).toMatchObject({ ok: true, value: { status: 200, body: { total: 476 } } });
  expect(fetched).toHaveBeenCalledWith(
    '/api/quote',
    expect.objectContaining({
      method: 'POST',
      credentials: 'include',
      headers: { 'Content-Type': 'application/json' },
      body: '{"rugs":[]}',
    }),
  );
});

test('a call without a body is a GET without a content type', async () => {
  answers(200, '{"total":1}');
  await request({ method: 'GET', path: '/api/config', schema });
  expect(fetched).toHaveBeenCalledWith('/api/config', expect.objectContaining({ method: 'GET', headers: {} }));
});

describe('an error response', () => {
  test('carries its code, message, fields, status and body', async () => {
    const problem = {
      code: 'PriceChanged',
      message: 'The price has changed.',
      fields: { 'rugs.0': 'Too long' },
      extra: 1,
    };
    answers(409, JSON.stringify(problem));
    const answer = await request({ method: 'GET', path: '/api/quote', schema });
    expect(answer).toEqual({
      ok: false,
      rejection: {
        kind: 'refused',
        status: 409,
        code: 'PriceChanged',
        message: 'The price has changed.',
        fields: { 'rugs.0': 'Too long' },
        body: problem,
        text: `409: ${JSON.stringify(problem)}`,
      },
    });
  });

  test.each([
    ['a proxy’s page', '<h1>Bad Gateway</h1>', '502: <h1>Bad Gateway</h1>'],
    ['an empty body', '', '502: Bad Gateway'],
    ['JSON of another shape', '{"error":true}', '502: {"error":true}'],
    [
      'a field message that is not text',
      '{"code":"X","message":"m","fields":{"a":1}}',
      '502: {"code":"X","message":"m","fields":{"a":1}}',
    ],
  ])('with %s has no message for the customer', async (_, text, whole) => {
    answers(502, text, 'Bad Gateway');
    const answer = await request({ method: 'GET', path: '/api/quote', schema });
    const rejection = { kind: 'refused', code: 'Http502', message: '', fields: {}, text: whole };
    expect(answer).toMatchObject({ ok: false, rejection });
  });
});

describe('the outcome of a request is unknown', () => {
  const noAnswer = (cause: string) => ({ ok: false, rejection: { kind: 'no-answer', cause } });

  test('when the network fails', async () => {
    fetched.mockRejectedValue(new TypeError('Failed to fetch'));
    expect(await request({ method: 'GET', path: '/', schema })).toEqual(noAnswer('network'));
  });

  test('when the response is cut off', async () => {
    const cut = new ReadableStream({ start: (controller) => controller.error(new TypeError('terminated')) });
    fetched.mockResolvedValue(new Response(cut, { status: 200 }));
    expect(await request({ method: 'GET', path: '/', schema })).toEqual(noAnswer('network'));
  });

  test.each(['', '{"total":', '{"total":"476"}', 'null'])('when the body of a success is %s', async (text) => {
    answers(200, text);
    expect(await request({ method: 'GET', path: '/', schema })).toEqual(noAnswer('unreadable'));
  });

  const untilAborted: typeof fetch = (_, init) =>
    new Promise((_resolve, reject) => {
      init?.signal?.addEventListener('abort', () => reject(new DOMException('aborted', 'AbortError')));
    });

  test('when the request times out', async () => {
    fetched.mockImplementation(untilAborted);
    expect(await request({ method: 'GET', path: '/', schema, timeoutMilliseconds: 5 })).toEqual(noAnswer('timeout'));
  });

  test('when the caller aborts the request', async () => {
    fetched.mockImplementation(untilAborted);
    const giveUp = new AbortController();
    const answer = request({ method: 'GET', path: '/', schema, signal: giveUp.signal });
    giveUp.abort();
    expect(await answer).toEqual(noAnswer('aborted'));
  });
});

test('`load` throws the status code, a colon and the response text', async () => {
  answers(503, 'Try later');
  const failed = load({ method: 'GET', path: '/api/config', schema });
  await expect(failed).rejects.toBeInstanceOf(ApiError);
  await expect(failed).rejects.toThrow('503: Try later');
});
