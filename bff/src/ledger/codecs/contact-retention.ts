import type { ContactRetentionChanged } from '@kilim/domain/admin/contact-retention';
import { z } from 'zod';
import { createCodec } from './codec.ts';

export const contactRetentionStream = 'contact-retention';

export const contactRetentionCodec = createCodec<ContactRetentionChanged>({
  payloads: {
    ContactRetentionChanged: z.object({ version: z.int(), months: z.int().nullable(), by: z.string() }),
  },
});
