import type { Glance } from '@kilim/bff/contract/glance';
import { call } from '../../shared/call.ts';
import { type Asked, useAsked } from '../shared/accounting/use-asked.ts';
import { adminLoad } from '../shared/api/admin-request.ts';

/** Compares in the background. Finished when both results are newer than before the request. */
export function useComparing(): Asked {
  return useAsked({
    ask: async () => void (await adminLoad(call('POST /api/admin/books/comparison'))),
    doneAt: comparedAt,
    latest: (glance) => timesOf(glance).at(-1),
  });
}

/** Undefined before the first complete comparison. */
function comparedAt(glance: Glance): string | undefined {
  const times = timesOf(glance);
  return times.length < 2 ? undefined : times[0];
}

function timesOf({ comparison, reconciliation }: Glance): readonly string[] {
  const times = [comparison?.madeAt, reconciliation?.madeAt];
  return times.filter((time) => time !== undefined).toSorted();
}

export function countDifferences(glance: Glance): number | undefined {
  const { comparison, reconciliation } = glance;
  if (comparison === null || reconciliation === null) return undefined;
  return comparison.differing + comparison.unmatched + reconciliation.differing;
}
