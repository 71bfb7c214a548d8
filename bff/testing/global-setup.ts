import type { TestProject } from 'vitest/node';
import { startTestServer } from './postgres.ts';

/**
 * One database server for all integration specs of a run; each spec file clones its own database.
 */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const server = await startTestServer();
  project.provide('postgresAdminUrl', server.adminUrl);
  return server.stop;
}
