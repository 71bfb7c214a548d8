import { mostRugsPerOrder } from '@kilim/domain/catalog';
import type { RefObject } from 'react';
import { Button } from '../shared/ui/button.tsx';
import { ErrorSummary } from '../shared/ui/error-summary.tsx';
import { ArrowRightIcon, PlusIcon } from '../shared/ui/icons.tsx';
import styles from './order-form.module.css';
import { useOrderForm, useOrderFormActor } from './order-form-actor.ts';
import { RugCard } from './rug-card.tsx';
import { refusedProblemsOf, rugIdsOf, sameItems, sameProblems } from './selectors.ts';
import { StepForm } from './step-form.tsx';
import { StepHeading } from './step-heading.tsx';
import { orderFormTexts } from './texts.ts';
import { useMostVisibleRug } from './use-most-visible-rug.ts';

export function RugsStep({ summary }: { readonly summary: RefObject<HTMLElement | null> }) {
  const actor = useOrderFormActor();
  const rugIds = useOrderForm(rugIdsOf, sameItems);
  const problems = useOrderForm(refusedProblemsOf, sameProblems);
  useMostVisibleRug(rugIds.length);
  const full = rugIds.length >= mostRugsPerOrder;
  return (
    <StepForm
      onContinue={() => actor.send({ type: 'rugs.continued' })}
      actions={
        <div className={styles.actions}>
          <Button type="submit" className={styles.onward}>
            {orderFormTexts.continueToCart}
            <ArrowRightIcon />
          </Button>
        </div>
      }
    >
      <StepHeading step="rugs" failed={problems.length > 0} />
      <ErrorSummary problems={problems} ref={summary} />
      {rugIds.map((id, index) => (
        <RugCard key={id} index={index} removable={rugIds.length > 1} duplicable={!full} />
      ))}
      {full ? (
        <p>{orderFormTexts.rugLimit}</p>
      ) : (
        <Button variant="secondary" wide className={styles.add} onClick={() => actor.send({ type: 'rug.added' })}>
          <PlusIcon />
          {orderFormTexts.addRug}
        </Button>
      )}
    </StepForm>
  );
}
