import { useCallback, useEffect, useRef, useSyncExternalStore } from 'react';
import { isFramed } from '../shared/framed.ts';
import { classNames } from '../shared/ui/class-names.ts';
import { Money } from '../shared/ui/money.tsx';
import { useOrderForm, useOrderFormActor } from './order-form-actor.ts';
import styles from './order-steps.module.css';
import { activeRugIndexOf, rugIdsOf, sameItems, stepOf } from './selectors.ts';
import { orderFormTexts } from './texts.ts';
import { useQuote } from './use-quote.ts';

/** Then the bar is fixed to the window's bottom (specification, section 9). */
const fixedPastPixels = 100;

/** While the bar is fixed, its place in the page stays reserved. */
export function OrderSteps() {
  const fixed = useScrolledPast();
  const bar = usePublishedHeight();
  return (
    <div className={styles.place}>
      <nav ref={bar} className={styles.bar} data-fixed={fixed || undefined} aria-label={orderFormTexts.steps}>
        <Progress />
        <div className={styles.row}>
          <RugTabs />
          <CartTab />
        </div>
      </nav>
    </div>
  );
}

function Progress() {
  const step = useOrderForm(stepOf);
  const rugCount = useOrderForm(rugIdsOf, sameItems).length;
  const activeRugIndex = useOrderForm(activeRugIndexOf);
  const current = rugCount === 0 ? 0 : activeRugIndex + 1;
  const percent = step === 'cart' ? 100 : Math.round((current / (rugCount + 1)) * 100);
  return (
    <progress
      className={styles.progress}
      aria-label={orderFormTexts.progress}
      aria-valuenow={percent}
      value={percent}
      max={100}
    />
  );
}

function RugTabs() {
  const actor = useOrderFormActor();
  const step = useOrderForm(stepOf);
  const rugIds = useOrderForm(rugIdsOf, sameItems);
  const activeRugIndex = useOrderForm(activeRugIndexOf);
  const current = useRef<HTMLButtonElement>(null);
  useEffect(() => {
    // `scrollIntoView` could scroll the page as well.
    const tab = current.current;
    const list = tab?.closest('ul');
    if (tab && list) list.scrollLeft = tab.offsetLeft - (list.clientWidth - tab.offsetWidth) / 2;
  });
  return (
    <ul className={styles.tabs}>
      {rugIds.map((id, index) => {
        const isCurrent = step === 'rugs' && index === activeRugIndex;
        return (
          <li key={id}>
            <button
              type="button"
              className={styles.tab}
              ref={isCurrent ? current : undefined}
              aria-current={isCurrent ? 'step' : undefined}
              onClick={() => actor.send({ type: 'rug.visited', index })}
            >
              {orderFormTexts.rug(index)}
            </button>
          </li>
        );
      })}
    </ul>
  );
}

function CartTab() {
  const actor = useOrderFormActor();
  const step = useOrderForm(stepOf);
  return (
    <button
      type="button"
      className={classNames(styles.tab, styles.cart)}
      aria-current={step === 'cart' ? 'step' : undefined}
      onClick={() => actor.send({ type: 'rugs.continued' })}
    >
      {orderFormTexts.cartTab}
      <RunningTotal />
    </button>
  );
}

/** Hidden from screen readers, which read it in the order summary. */
function RunningTotal() {
  const total = useQuote()?.total;
  if (total === undefined) return null;
  return (
    <span className={styles.total} aria-hidden="true">
      <Money amount={total} />
    </span>
  );
}

/** With the default text size; the style sheets assume it, within a few pixels. */
const defaultHeight = 66;

/** Large text makes the bar higher, and the style sheets reserve `--steps-height`. */
function usePublishedHeight() {
  return useCallback((bar: HTMLElement) => {
    const { style } = document.documentElement;
    const observer = new ResizeObserver(() => {
      // Setting the variable restyles the whole page, so the default height is not set.
      if (bar.offsetHeight > defaultHeight + 4) style.setProperty('--steps-height', `${bar.offsetHeight}px`);
      else style.removeProperty('--steps-height');
    });
    observer.observe(bar);
    return () => observer.disconnect();
  }, []);
}

function subscribeToScrolling(changed: () => void): () => void {
  window.addEventListener('scroll', changed, { passive: true });
  return () => window.removeEventListener('scroll', changed);
}

/** False in an iframe: a tall iframe does not scroll, and a fixed bar would be outside its visible part. */
function useScrolledPast(): boolean {
  return useSyncExternalStore(
    subscribeToScrolling,
    () => !isFramed() && window.scrollY > fixedPastPixels,
    () => false,
  );
}
