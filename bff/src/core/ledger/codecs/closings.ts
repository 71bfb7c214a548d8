import { accounts } from '@kilim/domain/accounting/chart';
import { type ClosingsEvent, checkPoints, reopenReasons } from '@kilim/domain/accounting/closings';
import { z } from 'zod';
import { createCodec, day, money } from './codec.ts';

export const closingsStream = 'closings';

export const closingsCodec = createCodec<ClosingsEvent>({
  payloads: {
    PeriodReopened: z.object({ closing: z.int(), through: day, reason: z.enum(reopenReasons), by: z.string() }),
    PeriodCertified: z.object({
      closing: z.int(),
      from: day,
      through: day,
      exportEdition: z.int(),
      counts: z.object({ events: z.int(), bookings: z.int(), late: z.int() }),
      balances: z.array(z.object({ account: z.enum(accounts), debit: money, credit: money })),
      files: z.array(z.object({ format: z.string(), fileName: z.string(), bytes: z.int(), sha256: z.string() })),
      openPoints: z.array(z.object({ point: z.enum(checkPoints), count: z.int() })),
    }),
  },
});
