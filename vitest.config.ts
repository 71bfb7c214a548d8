import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

const specs = ['{domain,frontend}/src/**/*.spec.{ts,tsx}', 'bff/**/*.spec.ts'];
const needsPostgres = ['bff/**/*.int.spec.ts'];
const needsBrowser = ['**/*.e2e.spec.ts'];

/** Those that wait for leases to pass take longest. At the end the others would have to wait for them. */
class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    const waits = ({ moduleId }: TestSpecification) => /\/(chaos|crash)\b/.test(moduleId);
    return [...sorted.filter(waits), ...sorted.filter((file) => !waits(file))];
  }
}

export default defineConfig({
  test: {
    environment: 'node',
    // A spec that leaves a spy or a variable behind must not decide how the next one ends.
    restoreMocks: true,
    unstubEnvs: true,
    sequence: { sequencer: LongestFirst },
    projects: [
      { test: { name: 'unit', include: specs, exclude: [...needsPostgres, ...needsBrowser, '**/node_modules/**'] } },
      {
        test: {
          name: 'integration',
          include: needsPostgres,
          globalSetup: ['bff/testing/global-setup.ts'],
          maxWorkers: 2,
          // Generous: a slow machine is no failure, and a hanging statement is ended by the server after 15 seconds.
          testTimeout: 30_000,
          hookTimeout: 60_000,
          // As in playwright.config.ts: a machine that others slow down is no defect of ours.
          retry: process.env['CI'] === 'true' ? 1 : 0,
        },
      },
    ],
  },
});
