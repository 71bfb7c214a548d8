import type { LoadCommands } from '../core/cli/command.ts';

export const proofCommands: LoadCommands = {
  verify: async () => (await import('./cli/verify-command.ts')).verifyCommand,
  checkpoint: async () => (await import('./cli/checkpoint-command.ts')).checkpointCommand,
};
