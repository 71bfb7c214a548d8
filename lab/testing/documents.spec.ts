import { existsSync, globSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { paymentTable } from '@kilim/domain/testing/payment-table';
import { disputeTable, refundTable } from '@kilim/domain/testing/refund-tables';
import { markdownOf } from '@kilim/domain/testing/state-table';
import { describe, expect, test } from 'vitest';

const root = fileURLToPath(new URL('../..', import.meta.url));
const documents = globSync(['*.md', '{.github,bff,deploy,docs,domain,frontend}/**/*.md'], {
  cwd: root,
  exclude: ['**/node_modules/**'],
});

const read = (document: string) => readFileSync(join(root, document), 'utf8');

/** Within the repository, with the part after #. */
function linksIn(text: string): readonly string[] {
  return [...text.matchAll(/\]\(([^)\s]+)\)/g)]
    .map(([, target = '']) => target)
    .filter((target) => !/^[a-z]+:/.test(target));
}

/** Without blocks of code: their three backticks would pair with others. */
function inBackticks(text: string): readonly string[] {
  const quotes = text.replace(/^ *```[\s\S]*?^ *```$/gm, '').matchAll(/`([^`]+)`/g);
  return [...quotes].map(([, quoted = '']) => quoted);
}

/** Like `bff/src/start/main.ts`. The secrets of an installation are in no repository. */
function pathsIn(text: string): readonly string[] {
  const path = /^(?:domain|bff|frontend|migrations|docs|deploy(?!\/secrets)|\.ci|\.github)\/\S*$/;
  return inBackticks(text).filter((quoted) => path.test(quoted));
}

/** As GitHub makes them from headings. */
function anchorsIn(text: string): readonly string[] {
  return [...text.matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) =>
    heading
      .toLowerCase()
      .replace(/[^\p{Letter}\p{Number}_ -]/gu, '')
      .replaceAll(' ', '-'),
  );
}

function isDead(document: string, link: string): boolean {
  const [path = '', anchor = ''] = link.split('#');
  const target = path === '' ? document : relative(root, resolve(root, dirname(document), path));
  if (!existsSync(join(root, target))) return true;
  return anchor !== '' && target.endsWith('.md') && !anchorsIn(read(target)).includes(anchor);
}

test('the documents are found', () => {
  expect(documents).toEqual(expect.arrayContaining(['README.md', 'CONTRIBUTING.md', 'docs/glossary.md']));
});

test.each(documents)('every relative link of %s leads to a file and a heading', (document) => {
  expect(linksIn(read(document)).filter((link) => isDead(document, link))).toEqual([]);
});

test.each(documents)('every path that %s names exists', (document) => {
  const dead = pathsIn(read(document)).filter((path) => globSync(path, { cwd: root }).length === 0);
  expect(dead).toEqual([]);
});

describe('the tour and the map lead to living code', () => {
  const guides = [...partsOf('README.md', '## A tour in six files'), ...partsOf('docs/commands.md', '## The map')];

  test('they are found', () => {
    expect(guides.filter((guide) => pathsIn(guide).length > 0).length).toBeGreaterThan(30);
  });

  test('every name is defined in a file beside it', () => {
    const dead = guides.flatMap((guide) => {
      const files = pathsIn(guide).filter((path) => /\.(?:tsx?|sql)$/.test(path) && existsSync(join(root, path)));
      return namesIn(guide).filter((name) => !files.some((file) => defines(file, name)));
    });
    expect(dead).toEqual([]);
  });

  /** Items of lists and rows of tables from a heading to the end, each with its continued lines. */
  function partsOf(document: string, heading: string): readonly string[] {
    const text = read(document);
    return text.slice(text.indexOf(heading)).split(/\n(?=\||\d\. |- |\n)/);
  }

  /** Paths and commands have other characters. */
  function namesIn(text: string): readonly string[] {
    return inBackticks(text).filter((quoted) => /^[A-Za-z]\w*$/.test(quoted));
  }

  function defines(file: string, name: string): boolean {
    return file.endsWith('.sql') ? isOwnFunction(file, name) : definesInTypeScript(read(file), name);
  }

  /** No later migration replaces it. */
  function isOwnFunction(file: string, name: string): boolean {
    const creating = readdirSync(join(root, 'migrations'))
      .filter((migration) => migration.includes('.do.'))
      .toSorted()
      .filter((migration) =>
        new RegExp(`create (?:or replace )?function (?:\\w+\\.)?${name}\\(`).test(read(`migrations/${migration}`)),
      );
    return `migrations/${creating.at(-1)}` === file;
  }

  function definesInTypeScript(code: string, name: string): boolean {
    return new RegExp(`^export (?:async )?(?:function|const|type|class) ${name}\\b`, 'm').test(code);
  }
});

test('docs/commands.md has every script of package.json, and no others', () => {
  const { scripts } = JSON.parse(read('package.json')) as { scripts: Readonly<Record<string, string>> };
  const told = [...read('docs/commands.md').matchAll(/^\| `npm (?:run )?([\w:]+)/gm)].map(([, name = '']) => name);
  expect(told.toSorted()).toEqual(
    Object.keys(scripts)
      .filter((name) => name !== 'pretest')
      .toSorted(),
  );
});

test('docs/topics/payments.md shows the state tables; `vitest --update` prints them', async () => {
  const document = 'docs/topics/payments.md';
  const [before = '', after = ''] = read(document).split(
    /(?<=<!-- state tables -->\n)[\s\S]*(?=<!-- end of the state)/,
  );
  const tables = [paymentTable, refundTable, disputeTable].map(markdownOf).join('\n\n');
  await expect(`${before}\n${tables}\n\n${after}`).toMatchFileSnapshot(join(root, document));
});
