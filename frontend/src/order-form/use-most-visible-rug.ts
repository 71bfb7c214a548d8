import { useEffect } from 'react';
import { isScrollPending } from '../embed/bring-into-view.ts';
import { rugId } from './form-problems.ts';
import { useOrderFormActor } from './order-form-actor.ts';

const thresholds = [0, 0.2, 0.4, 0.6, 0.8, 1];

/** Activates the rug that covers most of the viewport (specification, section 4). */
export function useMostVisibleRug(rugCount: number): void {
  const actor = useOrderFormActor();
  useEffect(() => {
    const visiblePixels = new Map<Element, number>();
    const observer = new IntersectionObserver(
      (entries) => {
        for (const entry of entries) visiblePixels.set(entry.target, entry.intersectionRect.height);
        // The form is about to scroll to another rug.
        if (isScrollPending()) return;
        const [most] = [...visiblePixels].toSorted(([, one], [, other]) => other - one);
        const index = most !== undefined && most[1] > 0 ? cards.indexOf(most[0]) : -1;
        if (index >= 0) actor.send({ type: 'rug.activated', index });
      },
      { threshold: thresholds },
    );
    const cards = Array.from({ length: rugCount }, (_, index) => document.getElementById(rugId(index))).filter(
      (card) => card !== null,
    ) as Element[];
    for (const card of cards) observer.observe(card);
    return () => observer.disconnect();
  }, [actor, rugCount]);
}
