import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

const module = fileURLToPath(new URL('./require-node.mjs', import.meta.url));

function runAs(version: string) {
  const claim = `Object.defineProperty(process.versions, 'node', { value: '${version}' })`;
  const imports = [`data:text/javascript,${encodeURIComponent(claim)}`, module].map((name) => `--import=${name}`);
  return spawnSync(process.execPath, [...imports, '--eval', 'console.log("started")'], { encoding: 'utf8' });
}

test.each(['18.19.0', '20.20.2', '22.23.0', '24.1.0'])('Node.js %s is refused with a sentence', (version) => {
  const { status, stdout, stderr } = runAs(version);
  expect({ status, stdout }).toEqual({ status: 1, stdout: '' });
  expect(stderr).toMatch(new RegExp(`^Kilim needs Node.js 24.2 or newer, and this is ${version} .*npm rebuild node`));
  expect(stderr).not.toContain('    at ');
});

test.each(['24.2.0', '24.21.0', '25.0.0'])('Node.js %s starts', (version) => {
  expect(runAs(version)).toMatchObject({ status: 0, stdout: 'started\n', stderr: '' });
});
