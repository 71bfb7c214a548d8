import { existsSync, globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

const root = fileURLToPath(new URL('../..', import.meta.url));
const documents = ['*.md', 'docs/**/*.md', 'deploy/**/*.md', '.github/**/*.md'].flatMap((pattern) =>
  globSync(pattern, { cwd: root }),
);

const read = (document: string) => readFileSync(join(root, document), 'utf8');

/** The targets of relative links, without the part after #. */
function linksIn(text: string): readonly string[] {
  return [...text.matchAll(/\]\(([^)\s]+)\)/g)]
    .map(([, target = '']) => target.replace(/#.*$/, ''))
    .filter((target) => target !== '' && !/^[a-z]+:/.test(target));
}

/**
 * Paths in backticks that begin with a folder of the repository, like `bff/src/main.ts`. The secrets of an
 * installation are in no repository.
 */
function pathsIn(text: string): readonly string[] {
  const inBackticks = text.matchAll(
    /`((?:domain|bff|frontend|migrations|docs|deploy(?!\/secrets)|\.ci|\.github)\/[^`\s]*)`/g,
  );
  // `payment.ts:takePayment` names a function of the file.
  return [...inBackticks].map(([, path = '']) => path.replace(/:.*$/, ''));
}

test('the documents are found', () => {
  expect(documents).toEqual(expect.arrayContaining(['README.md', 'CONTRIBUTING.md', 'docs/glossary.md']));
});

test.each(documents)('every relative link of %s leads to a file', (document) => {
  const dead = linksIn(read(document)).filter((target) => !existsSync(join(root, dirname(document), target)));
  expect(dead).toEqual([]);
});

test.each(documents)('every path that %s names exists', (document) => {
  const dead = pathsIn(read(document)).filter((path) => globSync(path, { cwd: root }).length === 0);
  expect(dead).toEqual([]);
});
