import { readFileSync } from 'node:fs';
import { ok, type Result, rejected } from '@kilim/domain/result';

type Variables = Readonly<Record<string, string | undefined>>;

/** Each may be given as `<name>_FILE`, as Docker and systemd do. */
export const secretNames = [
  'DATABASE_URL',
  'MIGRATION_DATABASE_URL',
  'LEDGER_SIGNING_KEY',
  'ADMIN_PASSWORD',
  'SECOND_FACTOR_KEY',
  'METRICS_TOKEN',
  'SQUARE_ACCESS_TOKEN',
  'SQUARE_WEBHOOK_SIGNATURE_KEY',
  'SMTP_URL',
] as const;

/** Square makes it when the shop has an address already, and an installation with Docker names its file before. */
const givenLater = 'SQUARE_WEBHOOK_SIGNATURE_KEY';
const empty = 'an empty file';

/**
 * Ignores white space around a file's content. Sentences repeat neither a content nor a file's name, which may be a
 * misplaced secret.
 */
export function readSecretFiles(variables: Variables): Result<Variables, readonly string[]> {
  const read: Record<string, string | undefined> = { ...variables };
  const problems: string[] = [];
  for (const name of secretNames) {
    const file = variables[`${name}_FILE`]?.trim();
    if (!file) continue;
    if (variables[name]?.trim()) {
      problems.push(`${name} and ${name}_FILE are both set: remove one of them.`);
      continue;
    }
    const content = contentOf(file);
    if (content.ok) read[name] = content.value;
    else if (content.rejection === empty && name === givenLater) continue;
    else problems.push(`${name}_FILE names ${content.rejection}.`);
  }
  return problems.length === 0 ? ok(read) : rejected(problems);
}

/** @throws Error with all sentences. */
export function withSecretFiles(variables: Variables): Variables {
  const read = readSecretFiles(variables);
  if (!read.ok) throw new Error(read.rejection.join('\n'));
  return read.value;
}

function contentOf(file: string): Result<string, string> {
  try {
    const content = readFileSync(file, 'utf8').trim();
    return content === '' ? rejected(empty) : ok(content);
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : 'unknown error';
    return rejected(code === 'ENOENT' ? 'a file that does not exist' : `a file that cannot be read (${code})`);
  }
}
