import { startTestServer } from '@kilim/bff/testing/postgres';

/** One PostgreSQL for the run; each worker clones a database of its own. */
// Playwright takes a global setup as a default export only.
// biome-ignore lint/style/noDefaultExport: Playwright's contract.
export default async function startDatabaseServer(): Promise<() => Promise<void>> {
  const server = await startTestServer();
  process.env['KILIM_TEST_POSTGRES'] = server.adminUrl;
  return server.stop;
}
