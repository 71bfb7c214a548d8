import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

const specs = ['{domain,frontend}/src/**/*.spec.{ts,tsx}', '{bff,lab}/**/*.spec.ts'];
const needsPostgres = ['{bff,lab}/**/*.int.spec.ts'];
const takesLong = ['{bff,lab,frontend}/**/*.long.spec.{ts,tsx}'];
/** Once more: what reads Square's lists. All other specs can, too: LOCAL_SQUARE_HOSTILE=1 vitest run. */
const withHostileSquare = [
  'bff/src/core/background/{reconcile,reconcile-old-lists,find-missing-at-square,process-hints}.int.spec.ts',
  'bff/src/accounting/background/record-payouts.int.spec.ts',
  'lab/faults/chaos/chaos.long.spec.ts',
];
const hostile = { LOCAL_SQUARE_HOSTILE: '1' };
const needsBrowser = ['**/*.e2e.spec.ts'];

/** The chaos specs wait longest. At the end of a run every other spec would have to wait for them. */
class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    const waits = ({ moduleId }: TestSpecification) => moduleId.includes('/chaos/');
    return [...sorted.filter(waits), ...sorted.filter((file) => !waits(file))];
  }
}

const withPostgres = { globalSetup: ['lab/testing/global-setup.ts'] };

// `npm test` runs the projects unit and integration, `npm run test:all` long and hostile.
export default defineConfig({
  test: {
    environment: 'node',
    // A spec that leaves a spy or a variable behind must not decide how the next one ends.
    restoreMocks: true,
    unstubEnvs: true,
    unstubGlobals: true,
    // Generous: a slow machine is no defect. Specs wait for conditions, see lab/testing/patience.ts.
    testTimeout: 300_000,
    hookTimeout: 300_000,
    expect: { poll: { timeout: 60_000 } },
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
        },
      },
      { extends: true, test: { name: 'integration', include: needsPostgres, isolate: false, ...withPostgres } },
      { extends: true, test: { name: 'long', include: takesLong, isolate: false, ...withPostgres } },
      { extends: true, test: { name: 'hostile', include: withHostileSquare, env: hostile, ...withPostgres } },
    ],
  },
});
