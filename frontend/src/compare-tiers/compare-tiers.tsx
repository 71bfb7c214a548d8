import { type ComponentType, useEffect, useRef, useState } from 'react';
import { sharedTexts } from '../shared/texts.ts';
import { showToast } from '../shared/toast/toast-store.ts';
import { Button } from '../shared/ui/button.tsx';
import type { CompareOverlayProps } from './compare-overlay.tsx';
import type { ComparedRug } from './compared-rug.ts';
import { openingTexts } from './opening-texts.ts';

/** Specification, section 9. */
const openDelayMilliseconds = 100;

/** Loaded when the button is hovered, focused or pressed. */
const loadOverlay = () => import('./compare-overlay.tsx');

/** Gets the focus back when the comparison closes. */
export function CompareTiers(props: ComparedRug) {
  const button = useRef<HTMLButtonElement>(null);
  const [isRequested, setRequested] = useState(false);
  const [Overlay, setOverlay] = useState<ComponentType<CompareOverlayProps>>();

  useEffect(() => {
    if (!isRequested) return;
    let isWanted = true;
    const loading = loadOverlay();
    const fail = () => {
      if (!isWanted) return;
      setRequested(false);
      showToast({
        title: openingTexts.failed,
        description: openingTexts.failedHint,
        variant: 'destructive',
        // Most browsers never reload a module that failed once, and a new release has other files.
        action: { label: sharedTexts.tryAgain, onPress: () => window.location.reload() },
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
  }, [isRequested]);

  const preload = () => void loadOverlay().catch(() => undefined);
  const close = () => {
    setRequested(false);
    setOverlay(undefined);
    button.current?.focus();
  };
  return (
    <>
      <Button
        ref={button}
        variant="quiet"
        aria-haspopup="dialog"
        busy={isRequested && Overlay === undefined}
        onPointerEnter={preload}
        onFocus={preload}
        onClick={() => setRequested(true)}
      >
        {openingTexts.open}
      </Button>
      {Overlay !== undefined && <Overlay {...props} onClose={close} />}
    </>
  );
}
