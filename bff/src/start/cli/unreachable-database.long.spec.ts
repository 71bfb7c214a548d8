import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';

const root = fileURLToPath(new URL('../../../..', import.meta.url));

test.each([
  ['bff/src/core/database/migrate.ts'],
  ['bff/src/start/cli/ledger.ts', 'compare'],
  ['bff/src/start/cli/admin.ts', 'reset-password'],
  ['bff/src/start/cli/reconcile.ts'],
  ['lab/seed/main.ts'],
])(
  '%s names the variable of an unreachable database',
  async (...program) => {
    const env = { PATH: process.env['PATH'], DATABASE_URL: 'postgres://kilim:a-secret@127.0.0.1:1/kilim' };
    await expect(promisify(execFile)(process.execPath, program, { cwd: root, env })).rejects.toMatchObject({
      code: 1,
      stderr:
        'DATABASE_URL: nothing accepts connections at 127.0.0.1:1. Start PostgreSQL there, or correct the host and the port.\n',
    });
  },
  60_000,
);
