const attendedMilliseconds = 60_000;

let lastInput = Date.now();

/** Notes when somebody uses the page. */
export function watchAttendance(page: Window): void {
  for (const type of ['pointerdown', 'pointermove', 'keydown', 'wheel', 'touchstart', 'focus'] as const) {
    page.addEventListener(type, () => (lastInput = Date.now()), { capture: true, passive: true });
  }
}

/** Nobody has used this page for a minute. What it loads by itself must not keep the session alive. */
export function isUnattended(): boolean {
  return Date.now() - lastInput > attendedMilliseconds;
}
