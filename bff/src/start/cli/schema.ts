import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connect } from '../../core/database/database.ts';
import { migrate } from '../../core/database/migrate.ts';
import { dumpSchema } from '../../proof/dump-schema.ts';
import { startEmbeddedPostgres } from '../embedded/postgres.ts';

// Prints the schema that the migrations produce. A temporary server keeps manual changes of a development database out.

const dataDir = await mkdtemp(join(tmpdir(), 'kilim-schema-'));
const server = await startEmbeddedPostgres({ dataDir, persistent: false });
const sql = connect({ url: server.url, max: 1, applicationName: 'kilim schema' });
try {
  await migrate({ url: server.url });
  process.stdout.write(await sql.begin('read only', dumpSchema));
} finally {
  await sql.end();
  await server.stop();
  await rm(dataDir, { recursive: true, force: true });
}
