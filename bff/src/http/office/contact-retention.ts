import type { RetentionRejection } from '@kilim/domain/admin/contact-retention';
import { repeatWhileAway } from '../../database/repeat-while-away.ts';
import { readContactRetention } from '../../queries/contact-retention.ts';
import type { World } from '../../server/world.ts';
import { changeContactRetention } from '../../use-case/change-contact-retention.ts';
import { answerProblem, invalidFields, type Problem } from '../problem.ts';
import type { Serve } from '../serve.ts';

export function serveContactRetention(serve: Serve, world: World): void {
  serve('GET /api/admin/contact-retention', async (_, { answer }) =>
    answer(200, await repeatWhileAway(() => readContactRetention(world.sql))),
  );
  serve('POST /api/admin/contact-retention', async (c, { by: session, body, answer }) => {
    const { version: expectedVersion, months } = body;
    const asked = { months, expectedVersion, requestId: c.get('requestId') };
    const changed = await changeContactRetention(world, session, asked);
    return changed.ok ? answer(200, changed.value) : answerProblem(c, problems[changed.rejection.code]);
  });
}

const problems = {
  ChangedMeanwhile: {
    status: 409,
    code: 'ContactRetentionChanged',
    message: 'Another owner has changed the period. Please look at it and save again.',
  },
  MonthsOutOfRange: invalidFields({ months: 'Please enter whole months from 3 to 120' }),
} satisfies Record<RetentionRejection['code'], Problem>;
