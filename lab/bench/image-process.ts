import { readFile } from 'node:fs/promises';

export type ImageProcess = {
  readonly flags: readonly string[];
  readonly variables: Readonly<Record<string, string>>;
};

/** From the Dockerfile, so that benchmarks measure what is deployed. */
export async function readImageProcess(): Promise<ImageProcess> {
  const dockerfile = await readFile(new URL('../../Dockerfile', import.meta.url), 'utf8');
  const [, command = ''] = /^CMD \["node", (.*)\]$/m.exec(dockerfile) ?? [];
  const words = JSON.parse(`[${command}]`) as string[];
  const variables = dockerfile.matchAll(/\b(MALLOC_\w+)=(\d+)/g);
  return {
    flags: words.filter((word) => word.startsWith('--')),
    variables: Object.fromEntries([...variables].map(([, name = '', value = '']) => [name, value])),
  };
}
