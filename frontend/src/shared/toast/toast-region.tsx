import {
  type FocusEvent,
  type RefObject,
  useEffect,
  useLayoutEffect,
  useRef,
  useState,
  useSyncExternalStore,
} from 'react';
import { afterPress } from '../after-press.ts';
import { sharedTexts } from '../texts.ts';
import { ToastCard } from './toast-card.tsx';
import styles from './toast-region.module.css';
import { dismissToast, shownToast, subscribeToToasts } from './toast-store.ts';

/**
 * F8 moves the focus into it, Escape back. Both live regions stay mounted, because a screen reader announces only
 * changes inside an existing one.
 */
export function ToastRegion() {
  const toast = useSyncExternalStore(subscribeToToasts, shownToast);
  const isSilent = toast?.silent === true;
  const area = useRef<HTMLDivElement>(null);
  useToastPlace(area, toast?.id);
  const { region, focused, enter, leave, restoreFocus } = useRegionFocus(toast?.id);
  const leaveOnEscape = ({ key }: Pick<KeyboardEvent, 'key'>) => {
    if (key !== 'Escape') return;
    dismissToast();
    restoreFocus();
  };
  const card = toast && <ToastCard key={toast.id} toast={toast} isRegionFocused={focused} />;
  return (
    <div ref={area} className={styles.area}>
      <section
        ref={region}
        tabIndex={-1}
        className={styles.region}
        aria-label={sharedTexts.notifications}
        aria-keyshortcuts="F8"
        onFocus={(event: FocusEvent) => enter(event.relatedTarget)}
        onBlur={(event: FocusEvent) => leave(event.relatedTarget)}
        onKeyDown={leaveOnEscape}
      >
        <div role="status">{!isSilent && toast?.variant === 'default' && card}</div>
        <div role="alert">{!isSilent && toast?.variant === 'destructive' && card}</div>
        {isSilent && card}
      </section>
    </div>
  );
}

/** F8 (specification, section 9). Restores the focus when the focused toast disappears. */
function useRegionFocus(shownId: number | undefined) {
  const region = useRef<HTMLElement>(null);
  const previousFocus = useRef<Element>(null);
  const [focused, setFocused] = useState(false);
  const restoreFocus = () => {
    setFocused(false);
    const previous = previousFocus.current;
    previousFocus.current = null;
    if (previous instanceof HTMLElement) previous.focus({ preventScroll: true });
    else region.current?.blur();
  };

  useEffect(() => {
    const focusRegion = (event: KeyboardEvent) => {
      if (event.key !== 'F8') return;
      event.preventDefault();
      region.current?.focus({ preventScroll: true });
    };
    document.addEventListener('keydown', focusRegion);
    return () => document.removeEventListener('keydown', focusRegion);
  }, []);

  // Removing a focused button fires no blur event.
  // biome-ignore lint/correctness/useExhaustiveDependencies: the effect must run when the shown toast changes.
  useLayoutEffect(() => {
    if (focused && document.activeElement === document.body) restoreFocus();
  }, [shownId]);

  return {
    region,
    focused,
    restoreFocus,
    enter: (from: EventTarget | null) => {
      setFocused(true);
      if (from instanceof Element && !region.current?.contains(from)) previousFocus.current = from;
    },
    leave: (to: EventTarget | null) => {
      if (to instanceof Element && region.current?.contains(to)) return;
      setFocused(false);
      // The user moved the focus elsewhere, so it must not be restored later.
      if (to !== null) previousFocus.current = null;
    },
  };
}

/** A toast must not cover these: what is wrong, what has the focus, and what a page marks so. */
const important =
  '[aria-invalid="true"], [data-uncovered], [tabindex="-1"]:focus, input:focus, select:focus, textarea:focus';

/**
 * At the other end of the window when it would cover something important; looks again when the page has moved to what
 * it tells, and when the focus or the page moves. Moved during a press, it would take the press.
 */
function useToastPlace(area: RefObject<HTMLElement | null>, shownId: number | undefined): void {
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new toast has another height.
  useEffect(() => {
    const place = () => {
      if (area.current !== null) placeToast(area.current);
    };
    const placeAfterPress = () => afterPress(place);
    const frame = requestAnimationFrame(place);
    const moves = ['focusin', 'scrollend'];
    place();
    for (const move of moves) document.addEventListener(move, placeAfterPress);
    return () => {
      cancelAnimationFrame(frame);
      for (const move of moves) document.removeEventListener(move, placeAfterPress);
    };
  }, [area, shownId]);
}

function placeToast(area: HTMLElement): void {
  const toast = area.querySelector('[data-variant]');
  delete area.dataset['turned'];
  if (toast === null || !coversSomething(toast)) return;
  area.dataset['turned'] = '';
  if (coversSomething(toast)) delete area.dataset['turned'];
}

function coversSomething(toast: Element): boolean {
  const covered = toast.getBoundingClientRect();
  return [...document.querySelectorAll(important)].some((element) => {
    const { top, bottom, left, right } = element.getBoundingClientRect();
    const isBeside = bottom <= covered.top || top >= covered.bottom || right <= covered.left || left >= covered.right;
    return !isBeside && !toast.contains(element);
  });
}
