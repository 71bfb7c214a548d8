import { existsSync, readFileSync } from 'node:fs';
import { loadEnvFile } from 'node:process';

// Node's own `--env-file-if-exists` would print a line whenever the file is missing.

const file = '.env';

if (existsSync(file)) {
  loadEnvFile(file);
  // Imported only here, because most commands find no file and must start fast.
  const { envFileWarnings } = await import('./env-file.ts');
  for (const warning of envFileWarnings(readFileSync(file, 'utf8'))) process.stderr.write(`Warning: ${warning}\n`);
}
