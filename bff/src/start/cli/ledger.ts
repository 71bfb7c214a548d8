import { enableCompileCache } from 'node:module';
import { fileURLToPath } from 'node:url';

// The commands can run beside servers.

/** Compilation takes half of a command's start. A user who can write there could change the program anyway. */
enableCompileCache(fileURLToPath(new URL('../../../../node_modules/.cache/kilim', import.meta.url)));

try {
  // Only modules that are loaded after this point are cached.
  const { runNamedCommand } = await import('./run-named-command.ts');
  process.exitCode = await runNamedCommand(process.argv.slice(2));
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
}
