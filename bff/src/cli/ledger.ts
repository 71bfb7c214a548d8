import { enableCompileCache } from 'node:module';
import { fileURLToPath } from 'node:url';

// npm run ledger -- <command>: proves the ledger, seals it, and makes anew what is derived from it. It runs beside servers.

/**
 * Half of the time in which a command starts goes into compiling what never changes, so what came of it is kept where other tools keep such
 * things, beside what is installed. Whoever can write there can change the program anyway. Where nobody can, nothing is kept, and all goes on.
 */
enableCompileCache(fileURLToPath(new URL('../../../node_modules/.cache/kilim', import.meta.url)));

try {
  // Only what is loaded from here on is kept.
  const { runNamedCommand } = await import('./ledger/run-named-command.ts');
  process.exitCode = await runNamedCommand(process.argv.slice(2));
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
}
