import { type Tier, tierOffers, tiers } from '@kilim/domain/catalog';
import { type MouseEvent, type PointerEvent, useEffect, useMemo, useRef, useState } from 'react';
import { usePageData } from '../shared/page-data.ts';
import { showToast } from '../shared/toast/toast-store.ts';
import { Button } from '../shared/ui/button.tsx';
import { CrossIcon } from '../shared/ui/icons.tsx';
import { useNarrow } from '../shared/use-media-query.ts';
import styles from './compare-overlay.module.css';
import type { ComparedRug } from './compared-rug.ts';
import { comparisonOf } from './comparison.ts';
import { ComparisonTable } from './comparison-table.tsx';
import { compareTexts } from './texts.ts';
import { TierCards } from './tier-cards.tsx';
import { pickTier, startingPair } from './tier-pair.ts';

export type CompareOverlayProps = ComparedRug & { readonly onClose: () => void };

const headingId = 'compare-tiers-title';

/** Two tiers on narrow screens. Opens when it is mounted. */
export function CompareOverlay({ onClose, ...compared }: CompareOverlayProps) {
  const { rug, rugName, onChoose } = compared;
  const { settings } = usePageData();
  const comparison = useMemo(() => comparisonOf(settings.given['tierComparison']), [settings]);
  const modal = useModal(onClose);
  const narrow = useNarrow();
  const [pair, setPair] = useState(() => startingPair(rug.tier));
  const shown = narrow ? pair : tiers;
  const choose = (tier: Tier) => {
    const { name } = tierOffers[tier];
    modal.close();
    onChoose(tier);
    showToast({ title: tier === rug.tier ? compareTexts.kept(name, rugName) : compareTexts.chosen(name, rugName) });
  };
  return (
    <dialog {...modal.handlers} ref={modal.dialog} className={styles.dialog} aria-labelledby={headingId}>
      <header className={styles.header}>
        <div className={styles.title}>
          <h2 id={headingId}>{compareTexts.heading}</h2>
          <p className={styles.rug}>{compareTexts.forRug(rugName)}</p>
        </div>
        <Button variant="quiet" className={styles.close} onClick={modal.close}>
          <CrossIcon />
          {compareTexts.close}
        </Button>
      </header>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a scroll container must be focusable for keyboard scrolling. */}
      <section className={styles.body} tabIndex={0} aria-label={compareTexts.sideBySide} data-shown={shown.length}>
        <TierCards
          {...compared}
          shown={shown}
          onPick={narrow ? (place, tier) => setPair(pickTier(pair, place, tier)) : undefined}
        />
        <ComparisonTable shown={shown} narrow={narrow} rows={comparison.rows} />
        <div className={styles.closing}>
          <section aria-labelledby="compare-recommendations">
            <h3 id="compare-recommendations">{compareTexts.recommendations}</h3>
            <dl className={styles.recommendations}>
              {tiers.map((tier) => (
                <div key={tier} data-hue={tier}>
                  <dt>{tierOffers[tier].name}</dt>
                  <dd>{comparison.recommendations[tier]}</dd>
                </div>
              ))}
            </dl>
          </section>
          <p className={styles.experience}>
            <strong>{comparison.experience.title}</strong> {comparison.experience.text}
          </p>
        </div>
      </section>
      <footer className={styles.footer} data-shown={shown.length}>
        {shown.map((tier) => (
          <Button
            key={tier}
            variant={tier === rug.tier ? 'secondary' : 'primary'}
            aria-describedby={tier === rug.tier ? 'compare-current' : undefined}
            onClick={() => choose(tier)}
          >
            {compareTexts.choose(tierOffers[tier].name)}
          </Button>
        ))}
        <div id="compare-current" hidden>
          {compareTexts.currentOf(rugName)}
        </div>
      </footer>
    </dialog>
  );
}

/**
 * `close`, Escape and a press on the backdrop close it, then `onClose` is called. The page behind it does not scroll.
 */
function useModal(onClose: () => void) {
  const dialog = useRef<HTMLDialogElement>(null);
  const pressedBackdrop = useRef(false);
  useEffect(() => {
    // Strict mode runs effects twice. The cleanup must not close it, because closing calls `onClose`.
    if (dialog.current?.open === false) dialog.current.showModal();
    return lockScrolling();
  }, []);
  return {
    dialog,
    close: () => dialog.current?.close(),
    handlers: {
      onClose,
      // Selecting text may end on the backdrop. Only a press that also began there closes the dialog.
      onPointerDown: ({ target, currentTarget }: PointerEvent) => {
        pressedBackdrop.current = target === currentTarget;
      },
      onClick: ({ target, currentTarget }: MouseEvent) => {
        if (pressedBackdrop.current && target === currentTarget) dialog.current?.close();
      },
    },
  };
}

/**
 * Also keeps the page in place when its scroll bar disappears.
 * @returns a function that unlocks it.
 */
function lockScrolling(): () => void {
  const { style, clientWidth } = document.documentElement;
  // An iframe that the parent resizes never scrolls.
  const { overflow } = style;
  if (window.innerWidth > clientWidth) style.scrollbarGutter = 'stable';
  style.overflow = 'hidden';
  return () => {
    style.overflow = overflow;
    style.scrollbarGutter = '';
  };
}
