import { startTestServers, stopAll } from '@kilim/lab/testing/postgres';
import type { FullConfig } from '@playwright/test';

/** A PostgreSQL server for each worker. The worker's shop has a database of its own there. */
// biome-ignore lint/style/noDefaultExport: Playwright's contract.
export default async function startDatabaseServers({ workers }: FullConfig): Promise<() => Promise<void>> {
  const servers = await startTestServers(workers);
  process.env['KILIM_TEST_POSTGRES'] = servers.map(({ adminUrl }) => adminUrl).join(' ');
  return () => stopAll(servers);
}

/** Connects as superuser to the server of this worker. No other worker uses it. */
export function databaseServer(): string {
  const [servers, worker] = [process.env['KILIM_TEST_POSTGRES'], process.env['TEST_PARALLEL_INDEX']];
  return servers?.split(' ')[Number(worker)] ?? '';
}
