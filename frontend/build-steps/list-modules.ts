import { relative } from 'node:path';
import type { Plugin } from 'vite';

/** Which modules each file is made of, by the file's name: the manifest beside it does not say. Paths are those of the repository. */
export type ModulesOfFiles = Readonly<Record<string, readonly string[]>>;

const repository = new URL('../..', import.meta.url).pathname;

/** Writes them down for the check that no page of customers' loads a part of the back office. */
export function listModules(): Plugin {
  return {
    name: 'kilim:list-modules',
    apply: 'build',
    generateBundle(_, bundle) {
      const chunks = Object.values(bundle).filter((file) => file.type === 'chunk');
      const modules: ModulesOfFiles = Object.fromEntries(
        chunks.map(({ fileName, moduleIds }) => [fileName, moduleIds.map((id) => relative(repository, id)).toSorted()]),
      );
      this.emitFile({ type: 'asset', fileName: '.vite/modules.json', source: JSON.stringify(modules) });
    },
  };
}
