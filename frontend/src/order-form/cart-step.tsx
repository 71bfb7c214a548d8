import { useRouter } from '@tanstack/react-router';
import { type RefObject, useEffect } from 'react';
import { usePageData } from '../shared/page-data.ts';
import { sharedTexts } from '../shared/texts.ts';
import { Alert } from '../shared/ui/alert.tsx';
import { ErrorSummary } from '../shared/ui/error-summary.tsx';
import { ReloadButton, WhyFailed } from '../shared/ui/load-failed.tsx';
import { Skeleton } from '../shared/ui/skeleton.tsx';
import { VisuallyHidden } from '../shared/ui/visually-hidden.tsx';
import { useOrderForm, useOrderFormActor } from './order-form-actor.ts';
import { refusedProblemsOf, sameProblems } from './selectors.ts';
import { StepColumns } from './step-columns.tsx';
import { StepHeading } from './step-heading.tsx';
import { orderFormTexts } from './texts.ts';
import { useCartModule } from './use-cart-module.ts';

export function CartStep({ summary }: { readonly summary: RefObject<HTMLElement | null> }) {
  const actor = useOrderFormActor();
  const router = useRouter();
  const pageData = usePageData();
  const { cart, failed } = useCartModule();
  const problems = useOrderForm(refusedProblemsOf, sameProblems);
  // While the customer fills in the cart.
  useEffect(() => void router.preloadRoute({ to: '/checkout' }), [router]);
  return (
    <form
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        if (cart?.stopsAtPickup(actor, pageData) !== true) actor.send({ type: 'cart.submitted' });
      }}
    >
      <StepColumns actions={cart === undefined ? null : <cart.CartActions />}>
        <StepHeading step="cart" failed={problems.length > 0} />
        <ErrorSummary problems={problems} ref={summary} />
        {cart !== undefined && <cart.CartDetails />}
        {cart === undefined && (failed ? <Failed /> : <Loading />)}
      </StepColumns>
    </form>
  );
}

function Loading() {
  return (
    <div role="status">
      <VisuallyHidden>{sharedTexts.loading}</VisuallyHidden>
      <Skeleton height="48rem" />
    </div>
  );
}

function Failed() {
  return (
    <Alert tone="danger" title={orderFormTexts.cartNotLoaded}>
      <p>
        <WhyFailed />
      </p>
      <ReloadButton />
    </Alert>
  );
}
