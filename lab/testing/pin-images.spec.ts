import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, expect, test } from 'vitest';

// No registry answers here, so a program named docker stands in for the engine.
const root = fileURLToPath(new URL('../..', import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'kilim-pin-'));
afterAll(() => rmSync(folder, { recursive: true }));

function pinImages(digests: string): string {
  const script = `#!/bin/sh\nif [ "$1" = image ]; then printf '${digests}\\n'; fi\n`;
  writeFileSync(join(folder, 'docker'), script, { mode: 0o755 });
  const env = { ...process.env, PATH: `${folder}${delimiter}${process.env['PATH']}` };
  return execFileSync(join(root, 'deploy/pin-images.sh'), { env, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] });
}

const digest = `sha256:${'0123456789abcdef'.repeat(4)}`;

test('every image that the Dockerfile and the compose files use is pinned, and nothing else', () => {
  const files = ['Dockerfile', 'docker-compose.yml', 'docker-compose.override.yml', 'deploy/compose.yml'];
  const text = files.map((file) => readFileSync(join(root, file), 'utf8')).join('\n');
  const variables = [...text.matchAll(/\$\{(\w+_IMAGE):-([^}]+)\}/g)]
    .map(([, name, image]) => `${name}=${image}@${digest}`)
    .filter((line) => !line.startsWith('KILIM_IMAGE='));
  const lines = pinImages(`mirror/image@${digest}`).trim().split('\n');
  expect(lines.toSorted()).toEqual([...new Set(variables)].toSorted());
  expect(text.match(/^ *image: (?!\S*\$\{|&image \$\{|\*image)\S+$/gm)).toBeNull();
  expect(text.match(/^FROM (?!\$NODE_IMAGE|manifests|server)\S+/gm)).toBeNull();
});

test('an image without a digest of a registry is refused', () => {
  expect(() => pinImages('')).toThrow('node:24-bookworm-slim has no digest from a registry.');
});
