const attendedMilliseconds = 60_000;

let lastInput = Date.now();

/** Notes when the page is used. */
export function watchAttendance(page: Window): void {
  for (const type of ['pointerdown', 'pointermove', 'keydown', 'wheel', 'touchstart', 'focus'] as const) {
    page.addEventListener(type, () => (lastInput = Date.now()), { capture: true, passive: true });
  }
}

/** The page was not used for a minute. Its automatic requests must not renew the session. */
export function isUnattended(): boolean {
  return Date.now() - lastInput > attendedMilliseconds;
}
