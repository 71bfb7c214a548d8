import type { Visit } from '@kilim/bff/contract/visit';

/** Not in the types of the browser. */
type Measured = PerformanceEntry & {
  readonly interactionId?: number;
  readonly hadRecentInput?: boolean;
  readonly value: number;
};

const pages: readonly Visit['page'][] = ['/', '/checkout', '/payment-success'];

/**
 * How fast the page was for this visitor, sent once, when the page is first hidden or left. Without the library
 * `web-vitals`, which is twice as large. A page that opened in the background was not looked at, and is not measured.
 */
export function measureVisit(pathname: string): void {
  const page = pages.find((each) => each === pathname);
  if (document.hidden || page === undefined) return;
  let largestPaint: number | undefined;
  let layoutShift: number | undefined;
  let shiftsNow = 0;
  let firstShiftAt = 0;
  let lastShiftAt = 0;
  const interactions = new Map<number, number>();

  const stop = [
    observe('largest-contentful-paint', ({ startTime }) => {
      largestPaint = startTime;
    }),
    // Shifts within a second of each other, and within five of the first, count together; the worst such group counts.
    observe('layout-shift', ({ hadRecentInput, startTime, value }) => {
      if (hadRecentInput) return;
      if (startTime - lastShiftAt > 1000 || startTime - firstShiftAt > 5000) [shiftsNow, firstShiftAt] = [0, startTime];
      lastShiftAt = startTime;
      shiftsNow += value;
      layoutShift = Math.max(layoutShift ?? 0, shiftsNow);
    }),
    observe('event', ({ interactionId, duration }) => {
      if (interactionId) interactions.set(interactionId, Math.max(interactions.get(interactionId) ?? 0, duration));
    }),
  ];
  if (PerformanceObserver.supportedEntryTypes.includes('layout-shift')) layoutShift = 0;

  const send = () => {
    if (document.visibilityState !== 'hidden') return;
    removeEventListener('visibilitychange', send, true);
    for (const end of stop) end();
    // One of fifty may be slower: an outlier of a long visit.
    const slowest = [...interactions.values()].sort((one, other) => other - one)[Math.floor(interactions.size / 50)];
    const visit: Visit = {
      page,
      // A frame's window says nothing about the device.
      isPhone: screen.width < 768,
      largestPaintMs: rounded(largestPaint),
      interactionMs: rounded(slowest),
      layoutShift,
    };
    navigator.sendBeacon('/api/visits', new Blob([JSON.stringify(visit)], { type: 'application/json' }));
  };
  addEventListener('visibilitychange', send, true);
}

/** Also what happened before. @returns handles what is left and stops. */
function observe(type: string, see: (entry: Measured) => void): () => void {
  if (!PerformanceObserver.supportedEntryTypes.includes(type)) return () => {};
  const handle = (entries: PerformanceEntryList) => {
    for (const entry of entries) see(entry as Measured);
  };
  const observer = new PerformanceObserver((list) => handle(list.getEntries()));
  observer.observe({ type, buffered: true, durationThreshold: 16 } as PerformanceObserverInit);
  return () => {
    handle(observer.takeRecords());
    observer.disconnect();
  };
}

function rounded(milliseconds: number | undefined): number | undefined {
  return milliseconds === undefined ? undefined : Math.round(milliseconds);
}
