/** What the form took on a first visit, measured, by the width of its place: it grows from there without moving the page. */
const firstHeights = [
  { below: 480, height: 2118 },
  { below: 900, height: 2000 },
  { below: Number.POSITIVE_INFINITY, height: 1261 },
];

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
  return firstHeights.find(({ below }) => width < below) ?? { below: 0, height: 1261 };
}
