import { existsSync } from 'node:fs';
import { createRequire, Module } from 'node:module';
import { dirname, join } from 'node:path';
import type { SquareClient, SquareError } from 'square';

const require = createRequire(import.meta.url);
const home = dirname(require.resolve('square'));
const load = (path: string) => require(join(home, path)) as Readonly<Record<string, unknown>>;

/** The clients whose calls are used. */
const names = ['disputes', 'locations', 'payments', 'payouts', 'refunds'] as const;

export type Clients = Pick<SquareClient, (typeof names)[number]>;
type Options = ConstructorParameters<typeof SquareClient>[0];
type Sdk = {
  readonly connect: (options: Options) => Clients;
  readonly isSquareError: (error: unknown) => error is SquareError;
};

/**
 * Loads the few files of Square's SDK that our calls need, by their paths. `import 'square'` takes more than a second,
 * because each client loads two indexes, and these load all types.
 * @throws Error when another release of the SDK has moved a file
 */
export function loadSdk(): Sdk {
  const requests = names.map((name) => `resources/${name}/client/requests`);
  const indexes = [lazyIndex('api', ['types']), lazyIndex('serialization', ['types', ...requests])];
  for (const index of indexes) require.cache[index.id] = index;
  try {
    const { SquareError: thrown } = load('errors') as { SquareError: typeof SquareError };
    const classes = names.map((name) => [name, clientClass(name)] as const);
    return {
      connect: (options) => Object.fromEntries(classes.map(([name, Client]) => [name, new Client(options)])) as Clients,
      isSquareError: (error) => error instanceof thrown,
    };
  } finally {
    // Only the clients that are loaded here may see them.
    for (const { id } of indexes) delete require.cache[id];
  }
}

function clientClass(name: keyof Clients) {
  const { [`${name[0]?.toUpperCase()}${name.slice(1)}Client`]: found } = load(`api/resources/${name}/client/Client.js`);
  return found as new (
    options: Options,
  ) => Clients[typeof name];
}

/** Loads a type when it is used, from the file of its name in one of the folders. */
function lazyIndex(root: 'api' | 'serialization', folders: readonly string[]): Module {
  const index = new Module(join(home, root, 'index.js'));
  index.loaded = true;
  index.exports = new Proxy<Record<string, unknown>>(
    { __esModule: true },
    {
      get: (types, name: string) => {
        types[name] ??= load(fileOf(`${name}.js`, root, folders))[name];
        return types[name];
      },
    },
  );
  return index;
}

function fileOf(file: string, root: string, folders: readonly string[]): string {
  const found = folders.map((folder) => join(root, folder, file)).find((path) => existsSync(join(home, path)));
  if (found === undefined) throw new Error(`Square's SDK has no ${file} where this server looks.`);
  return found;
}
