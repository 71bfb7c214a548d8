import { OrderForm } from '../order-form/order-form.tsx';
import { isFramed } from '../shared/framed.ts';
import { Page } from '../shared/ui/page.tsx';
import { Introduction } from './introduction.tsx';

/** A short introduction and, on the same page, the order form. In another site's frame only the form shows. */
export function HomePage() {
  return (
    <Page>
      {!isFramed() && <Introduction />}
      <OrderForm />
    </Page>
  );
}
