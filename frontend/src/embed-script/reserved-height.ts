/**
 * What the form takes on a first visit, by the width of its place: it grows from there without moving the page. Measured with narrow and
 * with wide system fonts, and set between the two; a browser test says when the form has outgrown it.
 */
const firstHeights = [
  { below: 350, height: 2010 },
  { below: 362, height: 1870 },
  { below: 480, height: 1750 },
  { below: 640, height: 1710 },
  { below: 700, height: 1620 },
  { below: 1000, height: 1580 },
  { below: 1060, height: 1500 },
] as const;
const widest = { below: 0, height: 1370 };

const key = 'rug-order-height-';

/** The height that a place of this width had last time, so that nothing below it moves when the form arrives. */
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
    // The next visit starts from the measured height.
  }
}

function layoutOf(width: number) {
  return firstHeights.find(({ below }) => width < below) ?? widest;
}
