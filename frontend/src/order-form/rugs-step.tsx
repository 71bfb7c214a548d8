import { mostRugsPerOrder } from '@kilim/domain/catalog';
import { type RefObject, useEffect, useState } from 'react';
import { Button } from '../shared/ui/button.tsx';
import { classNames } from '../shared/ui/class-names.ts';
import { ErrorSummary } from '../shared/ui/error-summary.tsx';
import { ArrowRightIcon, PlusIcon } from '../shared/ui/icons.tsx';
import styles from './order-form.module.css';
import { useOrderForm, useOrderFormActor } from './order-form-actor.ts';
import { RugCard } from './rug-card.tsx';
import { refusedProblemsOf, rugIdsOf, sameItems, sameProblems } from './selectors.ts';
import { StepColumns } from './step-columns.tsx';
import { StepHeading } from './step-heading.tsx';
import { orderFormTexts } from './texts.ts';
import { useMostVisibleRug } from './use-most-visible-rug.ts';

export function RugsStep({ summary }: { readonly summary: RefObject<HTMLElement | null> }) {
  const actor = useOrderFormActor();
  const rugIds = useOrderForm(rugIdsOf, sameItems);
  const problems = useOrderForm(refusedProblemsOf, sameProblems);
  useMostVisibleRug(rugIds.length);
  const werePainted = useWerePainted();
  const full = rugIds.length >= mostRugsPerOrder;
  return (
    <StepColumns
      actions={
        <div className={styles.actions}>
          <Button className={styles.onward} onClick={() => actor.send({ type: 'rugs.continued' })}>
            {orderFormTexts.continueToCart}
            <ArrowRightIcon />
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
 * Whether the cards were painted for two frames. By then the browser remembers their heights and
 * can skip rendering those outside the viewport. With twenty rugs, rendering invisible cards was
 * most of the cost of a key press.
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
