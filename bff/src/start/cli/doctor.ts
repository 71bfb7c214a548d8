import { styleText } from 'node:util';
import { sentenceOf } from '../../core/runtime/diagnosis.ts';
import type { Checked } from '../doctor/checked.ts';
import { diagnose } from '../doctor/diagnose.ts';
import { parseEnvironment } from '../env.ts';

// The command can run beside servers.

const usage = `npm run doctor
  Checks the variables, the database, the schema, the clocks, the signing key, Square, the disk and the ports
  with the variables that the server has. It changes nothing: it applies no migration and creates no key. Each line is a check: ok,
  warning, error, or skipped when an earlier error makes it impossible. A warning or an error names the variable and the remedy.

Exit codes: 0 when there is no error, 1 when there are errors.
`;

const styles = { ok: 'green', warning: 'yellow', error: 'red', skipped: 'dim' } as const;
type Label = keyof typeof styles;

function say(label: Label, text: string): void {
  process.stdout.write(`${styleText(styles[label], label.padEnd(8), { stream: process.stdout })} ${text}\n`);
}

async function main([argument]: readonly string[]): Promise<number> {
  if (argument !== undefined) {
    process.stdout.write(usage);
    return argument === 'help' || argument === '--help' ? 0 : 1;
  }
  const counts = { error: 0, warning: 0 };
  say('ok', `Node.js ${process.versions.node}`);
  const parsed = parseEnvironment(process.env);
  if (!parsed.ok) {
    for (const problem of parsed.rejection) say('error', problem);
    say('skipped', 'All other checks: the variables must be valid first.');
    return 1;
  }
  say('ok', 'All variables are well-formed');
  await diagnose(parsed.value, ({ rule, found }: Checked) => {
    if (found === 'skipped') return say('skipped', rule);
    if (found.length === 0) say('ok', rule);
    for (const diagnosis of found) {
      counts[diagnosis.level] += 1;
      say(diagnosis.level, sentenceOf(diagnosis));
    }
  });
  process.stdout.write(`Errors: ${counts.error}. Warnings: ${counts.warning}.\n`);
  return counts.error === 0 ? 0 : 1;
}

try {
  process.exitCode = await main(process.argv.slice(2));
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
}
