import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

const specs = ['{domain,frontend}/src/**/*.spec.{ts,tsx}', 'bff/**/*.spec.ts'];
const needsPostgres = ['bff/**/*.int.spec.ts'];
const takesLong = ['bff/**/*.long.spec.ts'];
const needsBrowser = ['**/*.e2e.spec.ts'];

/** The chaos specs wait longest. At the end of a run every other spec would have to wait for them. */
class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    const waits = ({ moduleId }: TestSpecification) => moduleId.includes('/chaos/');
    return [...sorted.filter(waits), ...sorted.filter((file) => !waits(file))];
  }
}

const withPostgres = {
  globalSetup: ['bff/testing/global-setup.ts'],
  // Generous: a slow machine is no failure, and the server ends a hanging statement after 15 seconds.
  testTimeout: 30_000,
  // Hooks create and drop databases, which waits for the disk.
  hookTimeout: 300_000,
  // As in playwright.config.ts: a machine that other work slows down is not a defect.
  retry: process.env['CI'] === 'true' ? 1 : 0,
};

// `npm test` runs the projects unit and integration, `npm run test:all` the project long.
export default defineConfig({
  test: {
    environment: 'node',
    // A spec that leaves a spy or a variable behind must not decide how the next one ends.
    restoreMocks: true,
    unstubEnvs: true,
    unstubGlobals: true,
    // The default is one second, and a slow machine needs longer to start a process.
    expect: { poll: { timeout: 10_000 } },
    // The default leaves one of two cores idle.
    maxWorkers: 2,
    sequence: { sequencer: LongestFirst },
    projects: [
      {
        extends: true,
        test: {
          name: 'unit',
          include: specs,
          exclude: [...needsPostgres, ...takesLong, ...needsBrowser, '**/node_modules/**'],
          // A worker loads a module once, not once for each file: that was half of all the work.
          isolate: false,
          // Generous, as below: a property test on a slow machine is no failure.
          testTimeout: 30_000,
        },
      },
      { extends: true, test: { name: 'integration', include: needsPostgres, isolate: false, ...withPostgres } },
      { extends: true, test: { name: 'long', include: takesLong, ...withPostgres } },
    ],
  },
});
