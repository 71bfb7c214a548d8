import { afterEach, expect, test, vi } from 'vitest';
import * as z from 'zod/mini';
import { currentProof, reauthenticated, signedIn } from '../session/session-store.ts';
import { adminRequest, renewingRequest } from './admin-request.ts';

afterEach(() => vi.unstubAllGlobals());

/** The server knows the latest proof's cookie; a request carries the one of when it was sent. */
function stubServer({ isSignedIn }: { readonly isSignedIn: boolean }) {
  let [browser, server] = [1, 1];
  let answerProof: () => void = () => undefined;
  const proven = new Promise<void>((resolve) => (answerProof = resolve));
  const sent: string[] = [];
  vi.stubGlobal('fetch', async (path: string) => {
    sent.push(path);
    const cookie = browser;
    if (path === '/prove') {
      server += 1;
      await proven;
      browser = server;
      return Response.json({});
    }
    await Promise.resolve();
    return isSignedIn && cookie === server
      ? Response.json({})
      : Response.json({ code: 'NotSignedIn' }, { status: 401 });
  });
  return { sent, answerProof };
}

const call = (path: string) => ({ method: 'GET', path, schema: z.unknown() }) as const;

test('a request that a new proof overtakes is sent again with the new cookie, and the session goes on', async () => {
  signedIn('proof');
  const { sent, answerProof } = stubServer({ isSignedIn: true });
  const proving = renewingRequest(call('/prove'));
  const overtaken = adminRequest(call('/orders'));
  await vi.waitFor(() => expect(sent).toEqual(['/prove', '/orders']));
  answerProof();
  expect((await proving).ok).toBe(true);
  reauthenticated('new proof');
  expect((await overtaken).ok).toBe(true);
  expect(sent).toEqual(['/prove', '/orders', '/orders']);
  expect(currentProof()).toBe('new proof');
});

test('a session that has ended is over after one more request', async () => {
  signedIn('proof');
  const { sent } = stubServer({ isSignedIn: false });
  expect((await adminRequest(call('/orders'))).ok).toBe(false);
  expect(sent).toEqual(['/orders', '/orders']);
  expect(currentProof()).toBeUndefined();
});
