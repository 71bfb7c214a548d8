import type { LoadFnOutput } from 'node:module';
import { changes } from './inside.ts';
import type { Sabotage } from './points.ts';

type Patch = { readonly file: string; readonly from: string; readonly to: string };

/** Safeguards that no decorator reaches are taken out of the source as it is loaded. */
const patches: Partial<Record<Sabotage, Patch>> = {
  'only-completed-refunds-count': {
    file: 'domain/src/order/refund.ts',
    from: "filter(({ status }) => status !== 'failed').map(({ request }) => request)",
    to: "filter(({ status }) => status === 'completed').map(({ request }) => request)",
  },
};

const patch = changes.sabotage === undefined ? undefined : patches[changes.sabotage];

/** @throws when the source no longer reads as the patch expects: a sabotage that does nothing would prove nothing. */
export function sabotaged(url: string, loaded: LoadFnOutput): LoadFnOutput {
  if (patch === undefined || !url.endsWith(patch.file)) return loaded;
  const source = Buffer.from(loaded.source as Uint8Array).toString();
  if (!source.includes(patch.from)) throw new Error(`${patch.file} has changed: the sabotage has to follow`);
  return { ...loaded, source: source.replace(patch.from, patch.to) };
}
