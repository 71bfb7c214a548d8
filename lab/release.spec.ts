import { expect, test } from 'vitest';
import { newestVersion, release } from './release.ts';

const intro = '# Changelog\n\nThe format.\n\n';

test('the first release gets a heading, and keeps the one for what follows', () => {
  const { changelog, notes } = release(`${intro}## [Unreleased]\n\nThe first.\n\n- One\n`, '1.0.0', '2026-11-28');
  expect(changelog).toBe(`${intro}## [Unreleased]\n\n## [1.0.0] - 2026-11-28\n\nThe first.\n\n- One\n`);
  expect(notes).toBe('The first.\n\n- One');
});

test('a later release stands above the earlier ones', () => {
  const earlier = '## [1.9.0] - 2026-11-28\n\n- One\n\n## [1.8.0] - 2026-11-27\n\n- None\n';
  const { changelog } = release(`${intro}## [Unreleased]\n\n- Two\n\n${earlier}`, '1.10.0', '2026-12-01');
  expect(changelog).toBe(`${intro}## [Unreleased]\n\n## [1.10.0] - 2026-12-01\n\n- Two\n\n${earlier}`);
  expect(newestVersion(changelog)).toBe('1.10.0');
});

test.each([
  ['v1.0.0', `${intro}## [Unreleased]\n\n- One\n`, 'A version looks like 1.2.0, not like v1.0.0.'],
  ['', `${intro}## [Unreleased]\n\n- One\n`, 'A version looks like 1.2.0'],
  ['1.0.0', `${intro}## [Unreleased]\n\n## [0.9.0] - 2026-11-27\n\n- One\n`, 'says nothing below'],
  ['1.0.0', `${intro}- One\n`, 'has no heading'],
  ['1.9.0', `${intro}## [Unreleased]\n\n- Two\n\n## [1.10.0] - 2026-11-27\n`, '1.10.0 was released already'],
  ['1.9.0', `${intro}## [Unreleased]\n\n- Two\n\n## [1.9.0] - 2026-11-27\n`, '1.9.0 was released already'],
])('%j is not released: %j', (version, changelog, message) => {
  expect(() => release(changelog, version, '2026-11-28')).toThrow(message);
});
