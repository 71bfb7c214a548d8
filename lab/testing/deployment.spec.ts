import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { accounting } from '../../bff/src/accounting/room.ts';
import { createMetrics } from '../../bff/src/core/runtime/metrics.ts';
import { secretNames } from '../../bff/src/core/runtime/secret-files.ts';
import type { World } from '../../bff/src/core/use-case/world.ts';
import { type LedgerSigner, proof } from '../../bff/src/proof/room.ts';
import { knownNames } from '../../bff/src/start/env-variables.ts';

const read = (file: string) => readFileSync(new URL(`../../${file}`, import.meta.url), 'utf8');

const rules = [...read('deploy/prometheus/kilim.rules.yml').matchAll(/- alert: (\w+)\n +expr: (.*)\n/g)].map(
  ([, alert = '', expression = '']) => ({ alert, expression }),
);
const board = JSON.parse(read('deploy/grafana/kilim.json')) as {
  readonly panels: readonly { readonly title: string; readonly targets: readonly { readonly expr: string }[] }[];
};
const expressions = [
  ...rules.map(({ alert, expression }) => [alert, expression] as const),
  ...board.panels.flatMap(({ title, targets }) => targets.map(({ expr }) => [title, expr] as const)),
];
const { registry } = createMetrics({ ofProcess: true });
// Gauges need nothing of the world before they are read.
const world = {} as World;
const ofBoth = { world, signer: {} as LedgerSigner, witnesses: [], registry };
const withReader = () => Promise.reject(new Error('reads nothing'));
proof({ ...ofBoth, withReader, needsWitness: false, production: false });
accounting({ ...ofBoth, timeZone: 'UTC', accountant: undefined });
const page = await registry.metrics();

/** With the first label that has an exact value. */
function seriesIn(expression: string): readonly { readonly name: string; readonly label: string | undefined }[] {
  const found = expression.matchAll(/\b((?:kilim|nodejs|process)_\w+)(?:\{[^}]*?(\w+="[^"]+")[^}]*\})?/g);
  return [...found].map(([, name = '', label]) => ({ name, label }));
}

test('the rules and the board are found', () => {
  expect(rules.length).toBeGreaterThan(10);
  expect(board.panels.length).toBeGreaterThan(10);
});

test.each(expressions)('%s reads only metrics that a server has: %s', (_, expression) => {
  const types = [...page.matchAll(/^# TYPE (\w+) (\w+)$/gm)].flatMap(([, name = '', type]) =>
    type === 'histogram' ? [`${name}_bucket`, `${name}_count`, `${name}_sum`] : [name],
  );
  for (const { name } of seriesIn(expression)) expect(types).toContain(name);
});

test.each(rules.filter(({ expression }) => expression.includes('increase(')))(
  '$alert counts from zero: a series that first appears with 1 shows no increase',
  ({ expression }) => {
    for (const { name, label } of seriesIn(expression)) expect(page).toContain(`${name}{${label}} 0`);
  },
);

test('the table of alerts and the rules have the same alerts under the same conditions', () => {
  const rows = [...read('docs/operations.md').matchAll(/^\| `(Kilim\w+)` \| `([^`]+)`/gm)].map(
    ([, alert = '', expression = '']) => ({ alert, expression }),
  );
  expect(rows).toEqual(rules);
});

describe('deploy/compose.yml', () => {
  const compose = read('deploy/compose.yml');

  test('gives every secret of a server by a file', () => {
    const files = [...compose.matchAll(/^ +([A-Z_]+)_FILE: \/run\/secrets\/([\w-]+)$/gm)];
    const ofServer = files
      .map(([, name = '']) => name)
      .filter((name) => !/PASSWORD$/.test(name) || name === 'ADMIN_PASSWORD');
    expect([...new Set(ofServer)].toSorted()).toEqual(
      // An installation may have neither a mail server nor a witness, and Docker needs every file that is named.
      secretNames.filter((name) => !/^(?:SMTP_URL|WITNESS_.*)$/.test(name)).toSorted(),
    );
    for (const [, , secret = ''] of files) expect(compose).toContain(`${secret}: { file: ./deploy/secrets/${secret} }`);
  });

  test('reads only variables that a .env file may set', () => {
    const all = compose + read('docker-compose.yml') + read('docker-compose.override.yml');
    const names = [...all.matchAll(/(?<!\$)\$\{([A-Z_]+)/g)].map(([, name = '']) => name);
    expect([...new Set(names)].filter((name) => !knownNames.includes(name))).toEqual([]);
  });
});
