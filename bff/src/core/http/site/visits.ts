import type { OpenName, Serve } from '../serve.ts';
import { type Throttles, throttle } from '../throttle/throttle.ts';

const measured = { name: 'visit', perSeconds: 60, mostPerAddress: 30, mostPerNetwork: 600 };

/** Anyone can send one, so it is only counted. Nothing is stored or logged, and the database is not asked. */
export function serveVisits(serve: Serve<OpenName>, throttles: Throttles): void {
  const { largestPaint, interaction, layoutShift } = throttles.metrics.visits;
  serve(
    'POST /api/visits',
    (_, { body, answer }) => {
      const labels = { page: body.page, device: body.isPhone ? 'phone' : 'other' };
      if (body.largestPaintMs !== undefined) largestPaint.observe(labels, body.largestPaintMs / 1000);
      if (body.interactionMs !== undefined) interaction.observe(labels, body.interactionMs / 1000);
      if (body.layoutShift !== undefined) layoutShift.observe(labels, body.layoutShift);
      return answer(204);
    },
    { limit: throttle(throttles, measured) },
  );
}
