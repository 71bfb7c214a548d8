/**
 * Leaving a field by pressing a button would show the field's message between press and release, push the button away, and
 * lose the click. So what a blur changes waits until the pointer is up.
 */
let pressed = false;

/** Runs at once when nothing is pressed, otherwise right after the click that ends the press. */
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
  // The click comes after the pointer is up, so this waits for it.
  setTimeout(() => {
    for (const change of waiting.splice(0)) change();
  });
}

/** Has to run once, before anything is drawn. */
export function watchPresses(page: Document): void {
  page.addEventListener('pointerdown', press, { capture: true, passive: true });
  page.addEventListener('pointerup', release, { capture: true, passive: true });
  page.addEventListener('pointercancel', release, { capture: true, passive: true });
}
