import type { LoadCommands } from '../core/cli/command.ts';

/** Loaded on demand: loading all takes longer than the work on a small ledger. */
export const accountingCommands: LoadCommands = {
  certificate: async () => (await import('./cli/certificate-command.ts')).certificateCommand,
  'check-certificate': async () => (await import('./cli/check-certificate-command.ts')).checkCertificateCommand,
  export: async () => (await import('./cli/export-command.ts')).exportCommand,
};
