import { defineConfig } from 'vitest/config';

const specs = ['{domain,bff,frontend}/src/**/*.spec.{ts,tsx}'];
const needsPostgres = ['{domain,bff,frontend}/src/**/*.int.spec.ts'];
const needsBrowser = ['**/*.e2e.spec.ts'];

export default defineConfig({
  test: {
    environment: 'node',
    // A spec that leaves a spy or a variable behind must not decide how the next one ends.
    restoreMocks: true,
    unstubEnvs: true,
    projects: [
      { test: { name: 'unit', include: specs, exclude: [...needsPostgres, ...needsBrowser] } },
      {
        test: {
          name: 'integration',
          include: needsPostgres,
          globalSetup: ['bff/src/testing/global-setup.ts'],
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
