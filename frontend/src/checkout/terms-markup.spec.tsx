// @vitest-environment happy-dom
import { render } from '@testing-library/react';
import { expect, test } from 'vitest';
import { markupContent } from './terms-markup.tsx';

const htmlOf = (markup: string) => render(markupContent(markup)).container.innerHTML;

test('plain text is unchanged', () => {
  expect(htmlOf('You pay once.\nFor 5 < 6 rugs & more.')).toBe('You pay once.\nFor 5 &lt; 6 rugs &amp; more.');
});

test('paragraphs, lists and emphasis are kept without attributes', () => {
  expect(htmlOf('<p class="x" onclick="alert(1)">We <b>wash</b>,<br>you <i>wait</i>.</p><ul><li>Once</li></ul>')).toBe(
    '<p>We <strong>wash</strong>,<br>you <em>wait</em>.</p><ul><li>Once</li></ul>',
  );
});

test('a link opens in a new tab', () => {
  expect(htmlOf('<a href="https://rugs.example/terms" style="color:red">Terms</a>')).toBe(
    '<a href="https://rugs.example/terms" target="_blank" rel="noopener noreferrer">Terms</a>',
  );
});

test.each([
  ['<a href="javascript:alert(1)">Terms</a>', 'Terms'],
  ['<a href=" java\tscript:alert(1)">Terms</a>', 'Terms'],
  ['<a href="data:text/html,x">Terms</a>', 'Terms'],
  ['<a>Terms</a>', 'Terms'],
  ['<script>alert(1)</script>Terms', 'Terms'],
  ['<style>p{display:none}</style>Terms', 'Terms'],
  ['<img src=x onerror=alert(1)>Terms', 'Terms'],
  ['<form action="https://evil.example"><input name="card"><button>Terms</button></form>', 'Terms'],
])('only the text of %s is kept', (markup, shown) => {
  expect(htmlOf(markup)).toBe(shown);
});
