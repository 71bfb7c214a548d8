/**
 * By the container's width, for a first visit. Reserving it avoids a layout shift. The values lie between those
 * measured with narrow and with wide system fonts, and a browser test fails when the form becomes higher.
 */
const firstHeights = [
  { below: 480, height: 1590 },
  { below: 662, height: 1640 },
  { below: 700, height: 1590 },
  { below: 1000, height: 1550 },
  { below: 1060, height: 1450 },
] as const;
const widest = { below: 0, height: 1350 };

const key = 'rug-order-height-';

/** The form's last height at this width. */
export function reservedHeight(width: number): number {
  const layout = layoutOf(width);
  try {
    return Number(sessionStorage.getItem(key + layout.below)) || layout.height;
  } catch {
    return layout.height;
  }
}

export function rememberHeight(width: number, height: number): void {
  try {
    sessionStorage.setItem(key + layoutOf(width).below, String(height));
  } catch {
    // Without storage, the next visit reserves the default height.
  }
}

function layoutOf(width: number) {
  return firstHeights.find(({ below }) => width < below) ?? widest;
}
