import { startTestServer } from '@kilim/bff/testing/postgres';

/** One PostgreSQL server per run. Each worker clones its own database. */
// biome-ignore lint/style/noDefaultExport: Playwright's contract.
export default async function startDatabaseServer(): Promise<() => Promise<void>> {
  const server = await startTestServer();
  process.env['KILIM_TEST_POSTGRES'] = server.adminUrl;
  return server.stop;
}
