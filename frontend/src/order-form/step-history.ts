import { type AnyRouter, useRouter } from '@tanstack/react-router';
import { useEffect, useRef } from 'react';
import { nearestIndex, type OrderDraft } from './draft.ts';
import { type OrderFormActor, useOrderForm, useOrderFormActor } from './order-form-actor.ts';
import { stepOf } from './selectors.ts';

/**
 * Where the address says the person is: `#cart`, `#rug-0`. Other hashes are none of the form's
 * business.
 */
export type Place = 'cart' | number | undefined;

export function placeOf(hash: string): Place {
  if (hash === '#cart') return 'cart';
  const rug = /^#rug-(\d{1,3})$/.exec(hash)?.[1];
  return rug === undefined ? undefined : Number(rug);
}

/**
 * A draft, opened where the address says. Whether its rugs are fit for the cart is the form's to
 * judge.
 */
export function draftAt(draft: OrderDraft, place: Place): OrderDraft {
  if (place === 'cart') return { ...draft, step: 'cart' };
  if (place === undefined) return draft;
  return { ...draft, step: 'rugs', activeRugIndex: nearestIndex(place, draft.rugs) };
}

/** Marks a `#cart` that was reached from the rugs: the entry before it is theirs. */
const afterRugs = 'kilimAfterRugs';

/**
 * The step is part of the address, so that back, forward, reload and links do what people expect.
 * Call it after `useNotices`.
 */
export function useStepHistory(): void {
  const actor = useOrderFormActor();
  const router = useRouter();
  const step = useOrderForm(stepOf);
  const opened = useRef(false);

  useEffect(() => {
    const { pathname, hash } = window.location;
    const follow = () => {
      if (window.location.pathname === pathname) followAddress(actor, router);
    };
    if (placeOf(hash) !== undefined) follow();
    window.addEventListener('hashchange', follow);
    return () => window.removeEventListener('hashchange', follow);
  }, [actor, router]);

  useEffect(() => {
    const atCart = placeOf(window.location.hash) === 'cart';
    if (step === 'cart' && !atCart) void enterCart(router, opened.current);
    if (step === 'rugs' && atCart) leaveCart(router);
    opened.current = true;
  }, [step, router]);
}

/** The form goes where the address says. */
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
    // Refused: the message says why, and the address must not say otherwise.
    if (stepOf(actor.getSnapshot()) === 'rugs') void goTo(router, { replace: true });
  } else if (hash === '' && step === 'cart') {
    actor.send({ type: 'rug.visited', index: activeRugIndex });
  }
}

/**
 * The rugs keep an entry without a hash: going back leads to the rug that was looked at last, not
 * to one that a link once named. A form that opens at a kept cart only gets its address put right.
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

/** Scrolling and focusing are the form's own: it knows which heading or rug is meant. */
function goTo(router: AnyRouter, { hash = '', replace = false, state = {} }: Target): Promise<void> {
  return router.navigate({ to: '/', hash, replace, state, resetScroll: false, hashScrollIntoView: false });
}
