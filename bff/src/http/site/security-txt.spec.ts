import { expect, test } from 'vitest';
import { securityTxt, securityTxtPath } from './security-txt.ts';

const site = (contact: string | undefined) =>
  securityTxt({ contact, publicUrl: 'https://orders.example', now: () => new Date('2026-11-23T10:20:30Z') });

test('security.txt names the contact, and expires in 180 days', async () => {
  const answer = await site('mailto:security@rugs.example').request(securityTxtPath);
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
  expect((await site(undefined).request(securityTxtPath)).status).toBe(404);
});
