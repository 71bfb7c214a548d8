import { existsSync, readFileSync } from 'node:fs';
import { loadEnvFile } from 'node:process';

// The npm scripts load this before the program: `node --import ./bff/src/server/load-env-file.ts`. Node's own
// `--env-file-if-exists` prints a line whenever there is no file.

const file = '.env';

if (existsSync(file)) {
  loadEnvFile(file);
  // Loaded only here, because most commands have to start fast and find no file.
  const { envFileWarnings } = await import('./env-file.ts');
  for (const warning of envFileWarnings(readFileSync(file, 'utf8'))) process.stderr.write(`Warning: ${warning}\n`);
}
