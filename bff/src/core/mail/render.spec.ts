import { expect, test } from 'vitest';
import type { Letter } from './letter.ts';
import { render } from './render.ts';

const sender = { name: 'Rugs & Söhne', phone: '(415) 555-0132' };
const letter: Letter = {
  subject: 'Your order',
  heading: 'Thank you',
  parts: [
    { kind: 'text', text: 'Bring <b>both</b> rugs.' },
    { kind: 'heading', text: 'Your order' },
    { kind: 'list', items: ['West LA', 'Valley'] },
    {
      kind: 'amounts',
      lines: [
        { term: 'Rug #1', note: '8 × 10 ft', amount: '$476.00' },
        { term: 'Total', amount: '$476.00', isTotal: true },
      ],
    },
    { kind: 'link', text: 'Open', url: 'https://shop.example/?a=1&b=2' },
    { kind: 'verbatim', text: 'one\n  two' },
  ],
};

test('the text says everything, one thing below the other, and ends with the sender', () => {
  expect(render(letter, sender).text).toBe(`Thank you

Bring <b>both</b> rugs.

YOUR ORDER

- West LA
- Valley

Rug #1 (8 × 10 ft): $476.00
Total: $476.00

Open:
https://shop.example/?a=1&b=2

one
  two

-- 
Rugs & Söhne
(415) 555-0132
`);
});

test('the HTML says the same, and takes no text for markup', () => {
  const { html } = render(letter, sender);
  expect(html).toContain('Bring &lt;b&gt;both&lt;/b&gt; rugs.');
  expect(html).toContain('href="https://shop.example/?a=1&amp;b=2"');
  expect(html).toContain('Rugs &amp; Söhne<br>(415) 555-0132');
  for (const text of ['Thank you', 'West LA', '8 × 10 ft', '$476.00', 'one\n  two']) {
    expect(html).toContain(text);
  }
  expect(html).not.toMatch(/<script|src=|<b>/);
});

test('a shop without a telephone number has none below its name', () => {
  expect(render(letter, { name: 'Rugs', phone: '' }).text).toMatch(/-- \nRugs\n$/);
});
