import { useCallback, useEffect, useRef, useSyncExternalStore } from 'react';
import { isFramed } from '../shared/framed.ts';
import { classNames } from '../shared/ui/class-names.ts';
import { Money } from '../shared/ui/money.tsx';
import { useOrderForm, useOrderFormActor } from './order-form-actor.ts';
import styles from './order-steps.module.css';
import { activeRugIndexOf, rugIdsOf, sameItems, stepOf } from './selectors.ts';
import { orderFormTexts } from './texts.ts';
import { useQuote } from './use-quote.ts';

/** Past this the bar stays at the bottom of the window (specification, section 9). */
const fixedPastPixels = 100;

/**
 * Where one is, the way to every rug, and what it all costs. Its place in the page stays reserved
 * while it is fixed.
 */
export function OrderSteps() {
  const fixed = useScrolledPast();
  const bar = useTellHeight();
  return (
    <div className={styles.place}>
      <nav ref={bar} className={styles.bar} data-fixed={fixed || undefined} aria-label={orderFormTexts.steps}>
        <Progress />
        <div className={styles.row}>
          <RugTabs />
          <div className={styles.end}>
            <CartTab />
            <RunningTotal />
          </div>
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
    // The bar scrolls sideways by itself; the page must not move for it.
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
    </button>
  );
}

/** A repetition of the summary's total for the eye: a screen reader has it there. */
function RunningTotal() {
  const total = useQuote()?.total;
  if (total === undefined) return null;
  return (
    <p className={styles.total} aria-hidden="true">
      <span>{orderFormTexts.lines.total}</span>
      <Money amount={total} />
    </p>
  );
}

/**
 * As high as the bar is with letters of the usual size: the style sheets know of this height, give
 * or take a few pixels.
 */
const usualHeight = 66;

/**
 * Tells the style sheets how high the bar is with larger letters: what it covers, and what keeps
 * its place, goes by that.
 */
function useTellHeight() {
  return useCallback((bar: HTMLElement) => {
    const { style } = document.documentElement;
    const observer = new ResizeObserver(() => {
      // Telling styles the whole page anew, so it is done only where it has to be.
      if (bar.offsetHeight > usualHeight + 4) style.setProperty('--steps-height', `${bar.offsetHeight}px`);
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

/** In a tall frame nothing scrolls, and a fixed bar would be out of sight. */
function useScrolledPast(): boolean {
  return useSyncExternalStore(subscribeToScrolling, () => !isFramed() && window.scrollY > fixedPastPixels);
}
