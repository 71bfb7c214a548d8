import { join } from 'node:path';
import { build } from 'vite';

type Alone = {
  readonly root: string;
  readonly entry: string;
  readonly format: 'es' | 'iife';
  /** Of what a classic script exports. */
  readonly name?: string;
};

/** One script without imports, built apart from the pages, so that it shares no chunk with them. */
export async function buildAlone({ root, entry, format, name }: Alone): Promise<string> {
  const built = await build({
    root,
    configFile: false,
    publicDir: false,
    logLevel: 'warn',
    build: {
      write: false,
      target: 'es2022',
      lib: { entry: join(root, entry), formats: [format], fileName: 'script', ...(name !== undefined && { name }) },
    },
  });
  const [script] = [built].flat().flatMap((bundle) => ('output' in bundle ? bundle.output : []));
  if (script?.type !== 'chunk') throw new Error(`${entry} was not built`);
  return script.code;
}
