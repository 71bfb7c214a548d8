import { OrderForm } from '../order-form/order-form.tsx';
import { isFramed } from '../shared/framed.ts';
import { Page } from '../shared/ui/page.tsx';
import { Hero } from './hero.tsx';
import { Introduction } from './introduction.tsx';

/** In an iframe only the form shows. */
export function HomePage() {
  return (
    <Page>
      {!isFramed() && <Hero />}
      <OrderForm />
      {!isFramed() && <Introduction />}
    </Page>
  );
}
