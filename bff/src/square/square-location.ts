import { z } from 'zod';
import type { LocationOutcome } from './card-processor.ts';
import { unknown } from './square-answer.ts';
import type { Ask } from './square-client.ts';

/** Square's code for a token that works, without the permission for this call. */
const notPermitted = 'INSUFFICIENT_SCOPES';

export async function getLocation(ask: Ask, locationId: string): Promise<LocationOutcome> {
  const asked = await ask((client, deadline) => client.locations.get({ locationId }, deadline));
  if (asked.kind === 'unknown') return asked.refusedCredentials === notPermitted ? { kind: 'not-permitted' } : asked;
  if (asked.kind === 'refused') return asked.code === 'NOT_FOUND' ? { kind: 'not-found' } : unknown(asked.code);
  const location = locationAnswer.safeParse(asked.body).data?.location;
  if (location === undefined) return unknown('a 2xx without a readable location');
  const { status, currency, capabilities } = location;
  const takesCards = capabilities?.includes('CREDIT_CARD_PROCESSING');
  return { kind: 'found', location: { isActive: status !== 'INACTIVE', currency, takesCards } };
}

const locationAnswer = z.object({
  location: z.object({
    status: z.string().optional(),
    currency: z.string(),
    capabilities: z.array(z.string()).optional(),
  }),
});
