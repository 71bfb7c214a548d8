const attendedMilliseconds = 60_000;

let lastInput = Date.now();

export function watchAttendance(page: Window): void {
  for (const type of ['pointerdown', 'pointermove', 'keydown', 'wheel', 'touchstart', 'focus'] as const) {
    page.addEventListener(type, () => (lastInput = Date.now()), { capture: true, passive: true });
  }
}

/** Unused for a minute: automatic requests must not renew the session. */
export function isUnattended(): boolean {
  return Date.now() - lastInput > attendedMilliseconds;
}
