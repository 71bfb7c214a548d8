/**
 * A press blurs the current field. Its message would move the button away from the pointer and lose the click, so such
 * changes wait until the pointer is up.
 */
let pressed = false;

/** Now if the pointer is up, otherwise right after the click. */
export function afterPress(change: () => void): void {
  if (pressed) waiting.push(change);
  else change();
}

const waiting: (() => void)[] = [];

function press(): void {
  pressed = true;
}

function release(): void {
  pressed = false;
  // The browser fires `click` after `pointerup`.
  setTimeout(() => {
    for (const change of waiting.splice(0)) change();
  });
}

/** Call this once, before the first render. */
export function watchPresses(page: Document): void {
  page.addEventListener('pointerdown', press, { capture: true, passive: true });
  page.addEventListener('pointerup', release, { capture: true, passive: true });
  page.addEventListener('pointercancel', release, { capture: true, passive: true });
}
