import { type AnyRouter, useRouter } from '@tanstack/react-router';
import { useEffect, useRef } from 'react';
import { areComplete, nearestIndex, type OrderDraft } from './draft.ts';
import { type OrderFormActor, useOrderForm, useOrderFormActor } from './order-form-actor.ts';
import { stepOf } from './selectors.ts';

/** Named by the URL's hash: `#cart` or `#rug-0`. */
export type Place = 'cart' | number | undefined;

export function placeOf(hash: string): Place {
  if (hash === '#cart') return 'cart';
  const rug = /^#rug-(\d{1,3})$/.exec(hash)?.[1];
  return rug === undefined ? undefined : Number(rug);
}

/** Does not check the rugs: the machine decides whether the cart may open. */
export function draftAt(draft: OrderDraft, place: Place): OrderDraft {
  if (place === 'cart') return { ...draft, step: 'cart' };
  if (place === undefined) return draft;
  return { ...draft, step: 'rugs', activeRugIndex: nearestIndex(place, draft.rugs) };
}

/** Marks a `#cart` entry that was entered from the rugs, so that Back leads to them. */
const afterRugs = 'kilimAfterRugs';

/**
 * Makes Back, Forward, reload and links work. Call it after `useNotices`.
 * @param isDrawn the saved draft is not loaded yet.
 */
export function useStepHistory(isDrawn: boolean): void {
  const actor = useOrderFormActor();
  const router = useRouter();
  const step = useOrderForm(stepOf);
  const opened = useRef(false);

  useEffect(() => {
    if (isDrawn) return;
    const { pathname, hash } = window.location;
    const follow = () => {
      if (window.location.pathname === pathname) followAddress(actor, router);
    };
    // A link to the cart without an order opens the first step, without a word about errors.
    if (hash === '#cart' && !areComplete(actor.getSnapshot().context.rugs)) void goTo(router, { replace: true });
    else if (placeOf(hash) !== undefined) follow();
    window.addEventListener('hashchange', follow);
    return () => window.removeEventListener('hashchange', follow);
  }, [actor, router, isDrawn]);

  useEffect(() => {
    if (isDrawn) return;
    const atCart = placeOf(window.location.hash) === 'cart';
    if (step === 'cart' && !atCart) void enterCart(router, opened.current);
    if (step === 'rugs' && atCart) leaveCart(router);
    opened.current = true;
  }, [step, router, isDrawn]);
}

function followAddress(actor: OrderFormActor, router: AnyRouter): void {
  const { hash } = window.location;
  const place = placeOf(hash);
  const snapshot = actor.getSnapshot();
  const step = stepOf(snapshot);
  const { rugs, activeRugIndex } = snapshot.context;
  if (typeof place === 'number') {
    actor.send({ type: 'rug.visited', index: nearestIndex(place, rugs) });
  } else if (place === 'cart' && step === 'rugs') {
    actor.send({ type: 'rugs.continued' });
    // The form refused to open the cart, so the URL must not name it.
    if (stepOf(actor.getSnapshot()) === 'rugs') void goTo(router, { replace: true });
  } else if (hash === '' && step === 'cart') {
    actor.send({ type: 'rug.visited', index: activeRugIndex });
  }
}

/**
 * Removes the hash from the rugs' entry first, so that Back leads to the last active rug. If the form opened at a saved
 * cart, the entry is only replaced.
 */
async function enterCart(router: AnyRouter, fromRugs: boolean): Promise<void> {
  if (fromRugs && window.location.hash !== '') await goTo(router, { replace: true });
  await goTo(router, { hash: 'cart', replace: !fromRugs, state: { [afterRugs]: fromRugs } });
}

function leaveCart(router: AnyRouter): void {
  const state: unknown = window.history.state;
  const isAfterRugs = typeof state === 'object' && state !== null && afterRugs in state && state[afterRugs] === true;
  if (isAfterRugs) window.history.back();
  else void goTo(router, { replace: true });
}

type Target = {
  readonly hash?: string;
  readonly replace?: boolean;
  readonly state?: Readonly<Record<string, boolean>>;
};

/** Keeps the query. The router does not scroll, because `useNotices` does. */
function goTo(router: AnyRouter, { hash = '', replace = false, state = {} }: Target): Promise<void> {
  return router.navigate({
    to: '/',
    search: true,
    hash,
    replace,
    state,
    resetScroll: false,
    hashScrollIntoView: false,
  });
}
