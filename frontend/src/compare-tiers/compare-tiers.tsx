import { type ComponentType, useEffect, useRef, useState } from 'react';
import { sharedTexts } from '../shared/texts.ts';
import { showToast } from '../shared/toast/toast-store.ts';
import { Button } from '../shared/ui/button.tsx';
import type { ComparedRug, CompareOverlayProps } from './compare-overlay.tsx';
import { openingTexts } from './opening-texts.ts';

/** The comparison opens this long after it was asked for (specification, section 9). */
const openDelayMilliseconds = 100;

/** Fetched when somebody is about to ask for it: it is no part of the first load. */
const loadOverlay = () => import('./compare-overlay.tsx');

/** Opens the comparison of the tiers for one rug, and takes the focus back when it closes. */
export function CompareTiers(props: ComparedRug) {
  const button = useRef<HTMLButtonElement>(null);
  const [asked, setAsked] = useState(false);
  const [Overlay, setOverlay] = useState<ComponentType<CompareOverlayProps>>();

  useEffect(() => {
    if (!asked) return;
    let isWanted = true;
    const loading = loadOverlay();
    const fail = () => {
      if (!isWanted) return;
      setAsked(false);
      showToast({
        title: openingTexts.failed,
        description: openingTexts.failedHint,
        variant: 'destructive',
        action: { label: sharedTexts.tryAgain, onPress: () => setAsked(true) },
      });
    };
    loading.catch(() => undefined);
    const timer = setTimeout(() => {
      loading.then(({ CompareOverlay }) => isWanted && setOverlay(() => CompareOverlay), fail);
    }, openDelayMilliseconds);
    return () => {
      isWanted = false;
      clearTimeout(timer);
    };
  }, [asked]);

  const preload = () => void loadOverlay().catch(() => undefined);
  const close = () => {
    setAsked(false);
    setOverlay(undefined);
    button.current?.focus();
  };
  return (
    <>
      <Button
        ref={button}
        variant="quiet"
        aria-haspopup="dialog"
        busy={asked && Overlay === undefined}
        onPointerEnter={preload}
        onFocus={preload}
        onClick={() => setAsked(true)}
      >
        {openingTexts.open}
      </Button>
      {Overlay !== undefined && <Overlay {...props} onClose={close} />}
    </>
  );
}
