import { startTestServers, stopAll } from '@kilim/lab/testing/postgres';
import type { FullConfig } from '@playwright/test';

/** One for each worker, whose shop has a database there. */
// biome-ignore lint/style/noDefaultExport: Playwright's contract.
export default async function startDatabaseServers({ workers }: FullConfig): Promise<() => Promise<void>> {
  const servers = await startTestServers(workers);
  process.env['KILIM_TEST_POSTGRES'] = servers.map(({ adminUrl }) => adminUrl).join(' ');
  return () => stopAll(servers);
}

/** As superuser; no other worker uses it. */
export function databaseServer(): string {
  const [servers, worker] = [process.env['KILIM_TEST_POSTGRES'], process.env['TEST_PARALLEL_INDEX']];
  return servers?.split(' ')[Number(worker)] ?? '';
}
