import { mostRugsPerOrder } from '@kilim/domain/catalog';
import { type RefObject, useEffect, useState } from 'react';
import { isScrollPending } from '../embed/bring-into-view.ts';
import { Button } from '../shared/ui/button.tsx';
import { classNames } from '../shared/ui/class-names.ts';
import { ErrorSummary } from '../shared/ui/error-summary.tsx';
import { ArrowRightIcon, PlusIcon } from '../shared/ui/icons.tsx';
import { rugId } from './form-problems.ts';
import styles from './order-form.module.css';
import { useOrderForm, useOrderFormActor } from './order-form-actor.ts';
import { RugCard } from './rug-card.tsx';
import { refusedProblemsOf, rugIdsOf, sameItems, sameProblems } from './selectors.ts';
import { StepColumns } from './step-columns.tsx';
import { StepHeading } from './step-heading.tsx';
import { orderFormTexts } from './texts.ts';

export function RugsStep({ summary }: { readonly summary: RefObject<HTMLElement | null> }) {
  const actor = useOrderFormActor();
  const rugIds = useOrderForm(rugIdsOf, sameItems);
  const problems = useOrderForm(refusedProblemsOf, sameProblems);
  const isReading = useOrderForm(({ context }) => context.continuesWhenRead);
  useMostVisibleRug(rugIds.length);
  const werePainted = useWerePainted();
  const full = rugIds.length >= mostRugsPerOrder;
  return (
    <StepColumns
      actions={
        <div className={styles.actions}>
          <Button className={styles.onward} busy={isReading} onClick={() => actor.send({ type: 'rugs.continued' })}>
            {isReading ? orderFormTexts.readingSize : orderFormTexts.continueToCart}
            {!isReading && <ArrowRightIcon />}
          </Button>
        </div>
      }
    >
      <StepHeading step="rugs" failed={problems.length > 0} />
      <ErrorSummary problems={problems} ref={summary} />
      {rugIds.length === 0 && <p className={styles.empty}>{orderFormTexts.noRugs}</p>}
      {rugIds.length > 0 && (
        <div className={classNames(styles.step, werePainted && styles.painted)}>
          {rugIds.map((id, index) => (
            <RugCard key={id} index={index} duplicable={!full} />
          ))}
        </div>
      )}
      {full ? (
        <p>{orderFormTexts.rugLimit}</p>
      ) : (
        <Button variant="secondary" wide className={styles.add} onClick={() => actor.send({ type: 'rug.added' })}>
          <PlusIcon />
          {orderFormTexts.addRug}
        </Button>
      )}
    </StepColumns>
  );
}

/**
 * After two frames the browser remembers the cards' heights and can skip those outside the viewport. With twenty rugs,
 * rendering invisible cards was most of the cost of a key press.
 */
function useWerePainted(): boolean {
  const [werePainted, setWerePainted] = useState(false);
  useEffect(() => {
    let request = requestAnimationFrame(() => {
      request = requestAnimationFrame(() => setWerePainted(true));
    });
    return () => cancelAnimationFrame(request);
  }, []);
  return werePainted;
}

const thresholds = [0, 0.2, 0.4, 0.6, 0.8, 1];

/** Specification, section 4. */
function useMostVisibleRug(rugCount: number): void {
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
