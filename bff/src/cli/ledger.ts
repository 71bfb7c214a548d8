import { enableCompileCache } from 'node:module';
import { fileURLToPath } from 'node:url';

// Verifies, seals, rebuilds, compares and exports the ledger. It can run beside servers.
// Usage: npm run ledger -- <command>

/**
 * Compilation takes half of a command's start, so its result is cached below node_modules, if that
 * is writable. A user who can write there could change the program anyway.
 */
enableCompileCache(fileURLToPath(new URL('../../../node_modules/.cache/kilim', import.meta.url)));

try {
  // Only modules that are loaded after this point are cached.
  const { runNamedCommand } = await import('./ledger/run-named-command.ts');
  process.exitCode = await runNamedCommand(process.argv.slice(2));
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
}
