import type { LoadFnOutput } from 'node:module';
import { changes } from './inside.ts';
import type { Sabotage } from './points.ts';

type Patch = { readonly file: string; readonly from: string; readonly to: string };

/**
 * Safeguards that a decorator cannot remove. They are patched out of the source when it is loaded.
 */
const patches: Partial<Record<Sabotage, Patch>> = {
  'only-completed-refunds-count': {
    file: 'domain/src/order/refund.ts',
    from: "filter(({ status }) => status !== 'failed').map(({ request }) => request)",
    to: "filter(({ status }) => status === 'completed').map(({ request }) => request)",
  },
};

const patch = changes.sabotage === undefined ? undefined : patches[changes.sabotage];

/**
 * @throws when the source no longer contains the text to patch: sabotage without effect proves
 * nothing.
 */
export function sabotaged(url: string, loaded: LoadFnOutput): LoadFnOutput {
  if (patch === undefined || !url.endsWith(patch.file)) return loaded;
  const source = Buffer.from(loaded.source as Uint8Array).toString();
  if (!source.includes(patch.from)) throw new Error(`${patch.file} has changed: adapt the sabotage`);
  return { ...loaded, source: source.replace(patch.from, patch.to) };
}
