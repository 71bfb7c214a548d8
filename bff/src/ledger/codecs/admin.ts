import type { PasswordChanged } from '@kilim/domain/admin/password';
import { z } from 'zod';
import { createCodec } from './codec.ts';

export const adminCodec = createCodec<PasswordChanged>({
  payloads: {
    PasswordChanged: z.object({
      username: z.string(),
      how: z.enum(['changed', 'reset']),
      endedSessions: z.int(),
    }),
  },
});
