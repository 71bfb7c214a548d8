import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['domain/src/**/*.spec.ts'],
    setupFiles: ['lab/mutation/fixed-seed.ts'],
    isolate: false,
  },
});
