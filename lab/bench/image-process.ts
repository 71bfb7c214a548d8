import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

export type ImageProcess = {
  readonly flags: readonly string[];
  readonly variables: Readonly<Record<string, string>>;
};

const ownRoot = fileURLToPath(new URL('../..', import.meta.url));

/**
 * From the Dockerfile, so that benchmarks measure what is deployed.
 * @param root of another checkout. Absent: this one.
 */
export async function readImageProcess(root = ownRoot): Promise<ImageProcess> {
  const dockerfile = await readFile(join(root, 'Dockerfile'), 'utf8');
  const [, command = ''] = /^CMD \["node", (.*)\]$/m.exec(dockerfile) ?? [];
  const words = JSON.parse(`[${command}]`) as string[];
  const variables = dockerfile.matchAll(/\b(MALLOC_\w+)=(\d+)/g);
  return {
    flags: words.filter((word) => word.startsWith('--')),
    variables: Object.fromEntries([...variables].map(([, name = '', value = '']) => [name, value])),
  };
}
