import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import type { PageData } from '../../../../contract/page-data.ts';
import { builtInSettings } from '../office/built-in-settings.ts';
import { loadRenderers } from './render-home.ts';

const root = mkdtempSync(join(tmpdir(), 'kilim-render-home-'));
afterAll(() => rmSync(root, { recursive: true }));
mkdirSync(join(root, 'server'));
writeFileSync(
  join(root, 'server/render-pages.cjs'),
  `let times = 0;
  exports.renderHome = async ({ settings: { terms } }) => {
    times += 1;
    if (terms === 'unfit') throw new Error('unfit to render');
    return terms + ' ' + times;
  };`,
);

function dataWith(terms: string): PageData {
  return {
    settings: { ...builtInSettings, terms },
    config: {
      square: { applicationId: '', locationId: '', environment: 'sandbox', scriptUrl: '' },
      parentOrigins: [],
      abConversionUrl: null,
      checkoutTopLevel: false,
      business: { name: 'Kilim', phone: '', bookingUrl: '', timeZone: 'America/Los_Angeles', dropOffSites: [] },
    },
  };
}

test('the home page is rendered again only after the settings changed; a failed rendering is reported, not sent', async () => {
  const failures: unknown[] = [];
  const render = loadRenderers(root, (error) => failures.push(error)).renderHome;
  expect(await render(dataWith('first'), '')).toBe('first 1');
  expect(await render(dataWith('first'), '')).toBe('first 1');
  expect(await render(dataWith('second'), '')).toBe('second 2');
  expect(await render(dataWith('unfit'), '')).toBeUndefined();
  expect(failures).toEqual([new Error('unfit to render')]);
  expect(await render(dataWith('second'), '')).toBe('second 4');
});

test('a server without a built front end does not start, and says what to do', () => {
  expect(() => loadRenderers(join(root, 'nothing'), () => undefined)).toThrow('run "npm run build" first');
});
