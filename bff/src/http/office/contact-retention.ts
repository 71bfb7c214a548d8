import type { RetentionRejection } from '@kilim/domain/admin/contact-retention';
import { Hono } from 'hono';
import * as z from 'zod/mini';
import { contactRetention, contactRetentionRequest } from '../../../contract/contact-retention.ts';
import { repeatWhileAway } from '../../database/repeat-while-away.ts';
import { readContactRetention } from '../../queries/contact-retention.ts';
import type { World } from '../../server/world.ts';
import { changeContactRetention } from '../../use-case/change-contact-retention.ts';
import { answerProblem, invalidFields, type Problem } from '../problem.ts';
import { body } from '../validate.ts';
import { type AdminGuard, type AdminVariables, checked } from './guard.ts';

export function adminContactRetention(world: World, guard: AdminGuard) {
  return new Hono<AdminVariables>()
    .get(
      '/contact-retention',
      guard.may('readSettings', async (c) =>
        c.json(z.encode(contactRetention, await repeatWhileAway(() => readContactRetention(world.sql)))),
      ),
    )
    .post(
      '/contact-retention',
      guard.may(
        'changeContactRetention',
        checked(body(contactRetentionRequest), async (c, session) => {
          const { version: expectedVersion, months } = c.req.valid('json');
          const asked = { months, expectedVersion, requestId: c.get('requestId') };
          const changed = await changeContactRetention(world, session, asked);
          return changed.ok
            ? c.json(z.encode(contactRetention, changed.value))
            : answerProblem(c, problems[changed.rejection.code]);
        }),
      ),
    );
}

const problems = {
  ChangedMeanwhile: {
    status: 409,
    code: 'ContactRetentionChanged',
    message: 'Another owner has changed the period. Please look at it and save again.',
  },
  MonthsOutOfRange: invalidFields({ months: 'Please enter whole months from 3 to 120' }),
} satisfies Record<RetentionRejection['code'], Problem>;
