import { type LoadFnOutput, registerHooks } from 'node:module';
import { changes } from './inside.ts';
import type { Sabotage } from './points.ts';
import { setClock } from './skewed-clock.ts';

// `node --import` of this file gives the real server parts that can fail on order. The server has no switch for this.

const parts = new Map(
  [
    ['../../../bff/src/core/ledger/append.ts', './parts/append.ts'],
    ['../../../bff/src/core/square/square.ts', './parts/square.ts'],
    ['../../../bff/src/core/background/repeat.ts', './parts/repeat.ts'],
  ].map(([real, part]) => [urlOf(real), urlOf(part)]),
);

registerHooks({
  resolve: (specifier, context, nextResolve) => {
    const resolved = nextResolve(specifier, context);
    const part = parts.get(resolved.url);
    // The replacing part itself imports the real module.
    return part === undefined || context.parentURL === part ? resolved : { ...resolved, url: part };
  },
  load: (url, context, nextLoad) => sabotaged(url, nextLoad(url, context)),
});

setClock(changes.clockAheadSeconds);

function urlOf(path: string | undefined): string {
  return new URL(path ?? '', import.meta.url).href;
}

type Patch = { readonly file: string; readonly from: string; readonly to: string };

/** A decorator cannot remove these safeguards, so they are patched out of the source. */
const patches: Partial<Record<Sabotage, Patch>> = {
  'only-completed-refunds-count': {
    file: 'domain/src/order/refund.ts',
    from: "filter(({ status }) => status !== 'failed').map(({ request }) => request)",
    to: "filter(({ status }) => status === 'completed').map(({ request }) => request)",
  },
};

const patch = changes.sabotage === undefined ? undefined : patches[changes.sabotage];

/** @throws when the text to patch is gone: sabotage without effect proves nothing. */
function sabotaged(url: string, loaded: LoadFnOutput): LoadFnOutput {
  if (patch === undefined || !url.endsWith(patch.file)) return loaded;
  const source = Buffer.from(loaded.source as Uint8Array).toString();
  if (!source.includes(patch.from)) throw new Error(`${patch.file} has changed: adapt the sabotage`);
  return { ...loaded, source: source.replace(patch.from, patch.to) };
}
