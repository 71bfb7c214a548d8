import { registerHooks } from 'node:module';
import { changes } from './inside.ts';
import { sabotaged } from './sabotage.ts';
import { setClock } from './skewed-clock.ts';

// `node --import` of this file starts the real server with parts that can fail on order. The server
// itself has no switch for this and does not know these parts.

const parts = new Map(
  [
    ['../../../bff/src/ledger/append.ts', './parts/append.ts'],
    ['../../../bff/src/square/square.ts', './parts/square.ts'],
    ['../../../bff/src/background/repeat.ts', './parts/repeat.ts'],
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
