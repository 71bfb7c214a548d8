import { expect, test } from 'vitest';
import { cleanTerms } from './terms.ts';

test.each([
  '<script>alert(1)</script>',
  '<img src=x onerror=alert(1)>',
  '<svg onload=alert(1)><circle/></svg>',
  '<a href="javascript:alert(1)">x</a>',
  '<a href=" java\nscript:alert(1)">x</a>',
  '<a href="data:text/html,<script>alert(1)</script>">x</a>',
  '<p onclick="alert(1)" style="position:fixed">x</p>',
  '<iframe src="https://evil.example"></iframe>',
  '<form action="https://evil.example"><input name="card"></form>',
  '<math><mtext></p><style><img src onerror=alert(1)></style></math>',
  '<style>@import url(https://evil.example)</style>',
  '<noscript><p title="</noscript><img src=x onerror=alert(1)>">',
  '<base href="https://evil.example">',
  '<!--<img src=x onerror=alert(1)>-->',
  '<a href="//evil.example">x</a>',
])('nothing that runs, loads or pretends survives: %s', async (markup) => {
  const clean = await cleanTerms(`<p>Before</p>${markup}<p>After</p>`);
  expect(clean).not.toMatch(/<(?!\/?(p|a|br)\b)|on\w+=|javascript:|data:|style=|src=|href="\/\//i);
  expect(clean).toMatch(/^<p>Before<\/p>/);
});

test('allowed markup stays, and cleaning is idempotent', async () => {
  const terms =
    '<h3>Terms</h3><p>We clean <strong>rugs</strong> &amp; more.<br /></p><ul><li>Prices &lt; $10</li></ul>' +
    '<p><a href="https://example.com/terms">All terms</a></p>';
  expect(await cleanTerms(terms)).toBe(terms);
});

test('plain text stays as it was typed', async () => {
  expect(await cleanTerms('Cash only.\n\nNo refunds after 30 days.')).toBe('Cash only.\n\nNo refunds after 30 days.');
});
