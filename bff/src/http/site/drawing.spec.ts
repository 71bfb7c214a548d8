import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { builtInSettings } from '../office/built-in-settings.ts';
import type { PageData } from '../shop/wire.ts';
import { loadDrawing } from './drawing.ts';

const root = mkdtempSync(join(tmpdir(), 'kilim-drawing-'));
afterAll(() => rmSync(root, { recursive: true }));
mkdirSync(join(root, 'server'));
// Appends how often it was called.
writeFileSync(
  join(root, 'server/render-home.cjs'),
  `let times = 0;
  exports.renderHome = async ({ settings: { terms } }) => {
    times += 1;
    if (terms === 'unfit') throw new Error('unfit to draw');
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

test('the home page is drawn again only after the settings changed; a failed drawing is reported, not sent', async () => {
  const failures: unknown[] = [];
  const draw = loadDrawing(root, (error) => failures.push(error));
  expect(await draw(dataWith('first'))).toBe('first 1');
  expect(await draw(dataWith('first'))).toBe('first 1');
  expect(await draw(dataWith('second'))).toBe('second 2');
  expect(await draw(dataWith('unfit'))).toBeUndefined();
  expect(failures).toEqual([new Error('unfit to draw')]);
  expect(await draw(dataWith('second'))).toBe('second 4');
});

test('a server without a built front end does not start, and says what to do', () => {
  expect(() => loadDrawing(join(root, 'nothing'), () => undefined)).toThrow('run "npm run build" first');
});
