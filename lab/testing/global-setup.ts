import type { TestProject } from 'vitest/node';
import { startTestServers, stopAll } from './postgres.ts';

/** A server for each worker; each spec file clones its own database. */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const servers = await startTestServers(Number(project.vitest.config.maxWorkers));
  project.provide(
    'postgresAdminUrls',
    servers.map(({ adminUrl }) => adminUrl),
  );
  return () => stopAll(servers);
}
