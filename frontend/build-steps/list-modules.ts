import { relative } from 'node:path';
import type { Plugin } from 'vite';

/** By file name; Vite's manifest does not contain modules. Paths are relative to the repository. */
export type ModulesOfFiles = Readonly<Record<string, readonly string[]>>;

const repository = new URL('../..', import.meta.url).pathname;

/** `modules.json` serves the check that customer pages load no part of the back office. */
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
