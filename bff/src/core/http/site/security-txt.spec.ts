import { Hono } from 'hono';
import { expect, test } from 'vitest';
import type { RequestEnv } from '../request-id.ts';
import { createServe } from '../serve.ts';
import { securityTxtPath, serveSecurityTxt } from './security-txt.ts';

function ask(contact: string | undefined) {
  const app = new Hono<RequestEnv>();
  const now = () => new Date('2026-11-23T10:20:30Z');
  serveSecurityTxt(createServe(app), { contact, publicUrl: 'https://orders.example', now });
  return app.request(securityTxtPath);
}

test('security.txt names the contact, and expires in 180 days', async () => {
  const answer = await ask('mailto:security@rugs.example');
  expect(answer.headers.get('content-type')).toMatch(/^text\/plain; ?charset=utf-8$/i);
  expect((await answer.text()).split('\n')).toEqual([
    'Contact: mailto:security@rugs.example',
    'Expires: 2027-05-22T00:00:00Z',
    'Preferred-Languages: en',
    'Canonical: https://orders.example/.well-known/security.txt',
    '',
  ]);
});

test('without a contact there is no such file', async () => {
  expect((await ask(undefined)).status).toBe(404);
});
