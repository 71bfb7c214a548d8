import { OrderForm } from '../order-form/order-form.tsx';
import { isFramed } from '../shared/framed.ts';
import { Page } from '../shared/ui/page.tsx';
import { Introduction } from './introduction.tsx';

/** A short introduction followed by the order form. In an iframe only the form shows. */
export function HomePage() {
  return (
    <Page>
      {!isFramed() && <Introduction />}
      <OrderForm />
    </Page>
  );
}
