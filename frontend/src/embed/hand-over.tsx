import { type CurrentOrder, orderedRug } from '@kilim/bff/contract/quote';
import { toDollars } from '@kilim/domain/money';
import { useNavigate } from '@tanstack/react-router';
import { useEffect, useRef, useState } from 'react';
import { checkoutTexts } from '../checkout/texts.ts';
import { abVariant } from '../shared/ab-variant.ts';
import { clearCurrentOrder } from '../shared/current-order.ts';
import { localStore } from '../shared/storage.ts';
import { loadShownTotal } from '../shared/stored-order.ts';
import { Button } from '../shared/ui/button.tsx';
import { ArrowLeftIcon, ArrowRightIcon } from '../shared/ui/icons.tsx';
import { Page } from '../shared/ui/page.tsx';
import { PageTitle } from '../shared/ui/page-title.tsx';
import { usePageTitle } from '../shared/use-page-title.ts';
import styles from './hand-over.module.css';
import { forgetHandOver, isHandedOver, rememberHandOver } from './handed-over.ts';
import { whenFramed } from './in-frame.ts';
import { handOverTexts } from './texts.ts';

/**
 * Moves the order to the top-level checkout by a form POST, because the order must not be in a URL. After a press,
 * browsers let an iframe navigate the top window. The form submits itself once; if that was blocked, or after coming
 * back, it waits for a press.
 */
export function HandOver({ order }: { readonly order: CurrentOrder }) {
  const form = useRef<HTMLFormElement>(null);
  const [isBack, setIsBack] = useState(() => isHandedOver(order.orderId));
  usePageTitle(checkoutTexts.heading);

  useEffect(() => {
    // Reports this page's height to the parent.
    whenFramed(() => undefined);
    // After Back, the browser may restore this page from its back/forward cache.
    const shown = ({ persisted }: PageTransitionEvent) => persisted && setIsBack(true);
    window.addEventListener('pageshow', shown);
    return () => window.removeEventListener('pageshow', shown);
  }, []);

  useEffect(() => {
    if (isHandedOver(order.orderId)) return;
    rememberHandOver(order.orderId);
    form.current?.submit();
  }, [order]);

  return (
    <Page>
      <form ref={form} className={styles.screen} method="post" action="/checkout" target="_top">
        <PageTitle>{checkoutTexts.heading}</PageTitle>
        <p>{isBack ? handOverTexts.back : handOverTexts.opening}</p>
        <input type="hidden" name="order" value={JSON.stringify(requestOf(order))} />
        <Button type="submit">
          {handOverTexts.onward}
          <ArrowRightIcon />
        </Button>
        <WaysBack isBack={isBack} />
      </form>
    </Page>
  );
}

/** Without prices, which the server computes, but with the total that the customer saw. */
function requestOf(order: CurrentOrder) {
  const { orderId, rugs, deliveryOption, customerInfo, totalAmount } = order;
  const ordered = rugs.map((rug) => orderedRug.parse(rug));
  const shownTotal = toDollars(loadShownTotal(order) ?? totalAmount);
  return { orderId, rugs: ordered, deliveryOption, customerInfo, variant: abVariant(), shownTotal };
}

function WaysBack({ isBack }: { readonly isBack: boolean }) {
  const navigate = useNavigate();
  const goBack = () => {
    forgetHandOver();
    void navigate({ to: '/', hash: 'cart' });
  };
  const startOver = () => {
    forgetHandOver();
    clearCurrentOrder();
    localStore.remove('rugFormState');
    void navigate({ to: '/', replace: true });
  };
  return (
    <div className={styles.ways}>
      <Button variant="secondary" onClick={goBack}>
        <ArrowLeftIcon />
        {checkoutTexts.back}
      </Button>
      {isBack && (
        <Button variant="secondary" onClick={startOver}>
          {handOverTexts.startAnew}
        </Button>
      )}
    </div>
  );
}
