import type { TestProject } from 'vitest/node';
import { startTestServer } from './postgres.ts';

/** One server for all integration specs of a run; each spec file clones its own database from the template. */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const server = await startTestServer();
  project.provide('postgresAdminUrl', server.adminUrl);
  return server.stop;
}
