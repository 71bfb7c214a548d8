import { type Tier, tiers } from '@kilim/domain/catalog';

/**
 * Three tiers, with two copies at each end. A copy and its original have the same neighbours, so that the jump between
 * them is invisible.
 */
export const slides = [-2, -1, 0, 1, 2, 3, 4].map((place) => ({
  place,
  tier: tiers[(place + tiers.length) % tiers.length] as Tier,
  isCopy: place < 0 || place >= tiers.length,
}));
const copiesBefore = 2;
const tierAt = (at: number) => slides.find(({ place }) => place === at)?.tier;

/**
 * Keeps where a finger leaves the server's three cards, which the carousel's copies would move. Undefined without a
 * swipe.
 */
export function watchSwipes(row: HTMLElement, swiped: { current: Tier | undefined }): () => void {
  const look = () => {
    const share = row.scrollLeft / (row.scrollWidth - row.clientWidth);
    swiped.current = row.scrollLeft === 0 ? undefined : tiers[Math.round(share * (tiers.length - 1))];
  };
  look();
  row.addEventListener('scroll', look, { passive: true });
  return () => row.removeEventListener('scroll', look);
}

export type TierCarousel = ReturnType<typeof runCarousel>;

/** Swiping to a tier chooses it, but a screen reader's scrolling does not. */
export function runCarousel(row: HTMLElement, chosen: () => Tier, choose: (tier: Tier) => void) {
  let target = tiers.indexOf(chosen());
  let swiped = false;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const listening = new AbortController();

  const leftOf = (place: number) => {
    const slide = row.children[place + copiesBefore];
    if (!(slide instanceof HTMLElement)) return 0;
    return slide.offsetLeft + slide.offsetWidth / 2 - row.clientWidth / 2;
  };
  const scrollTo = (place: number, smooth: boolean) => {
    target = place;
    const reducesMotion = window.matchMedia('(prefers-reduced-motion: reduce)').matches;
    row.scrollTo({ left: leftOf(place), behavior: smooth && !reducesMotion ? 'smooth' : 'instant' });
  };
  /** From a copy to its original, which looks the same. */
  const recentre = () => {
    const original = (target + tiers.length) % tiers.length;
    if (original === target) return;
    row.scrollTo({ left: row.scrollLeft + leftOf(original) - leftOf(target), behavior: 'instant' });
    target = original;
  };
  const settle = () => {
    const nearest = slides.toSorted((one, other) => distanceTo(one.place) - distanceTo(other.place))[0];
    if (nearest === undefined) return;
    if (swiped) target = nearest.place;
    if (swiped && nearest.tier !== chosen()) choose(nearest.tier);
    swiped = false;
    recentre();
  };
  const distanceTo = (place: number) => Math.abs(leftOf(place) - row.scrollLeft);

  const listen = <Type extends keyof HTMLElementEventMap>(
    type: Type,
    listener: (event: HTMLElementEventMap[Type]) => void,
  ) => row.addEventListener(type, listener, { passive: true, signal: listening.signal });
  // Not `touchstart`: a swipe may have begun before the scripts ran.
  listen('touchmove', () => {
    swiped = true;
  });
  listen('wheel', ({ deltaX, deltaY }) => {
    swiped ||= Math.abs(deltaX) > Math.abs(deltaY);
  });
  if ('onscrollend' in window) listen('scrollend', settle);
  else {
    listen('scroll', () => {
      clearTimeout(timer);
      timer = setTimeout(settle, 150);
    });
  }
  listen('click', ({ target: pressed }) => {
    const copy = pressed instanceof Element ? pressed.closest('[data-copy]') : null;
    const slide = slides.find(({ place }) => row.children[place + copiesBefore] === copy);
    if (slide === undefined) return;
    target = slide.place;
    choose(slide.tier);
  });
  const resizing = new ResizeObserver(() => {
    // The browser scrolls a resized row, too.
    swiped = false;
    scrollTo(tiers.indexOf(chosen()), false);
  });
  resizing.observe(row);

  return {
    /** Uses the last target if it shows this tier, which may be a copy. */
    show: (tier: Tier, smooth: boolean) => scrollTo(tierAt(target) === tier ? target : tiers.indexOf(tier), smooth),
    /** Loops at the ends. */
    move: (by: 1 | -1) => {
      recentre();
      target += by;
      const tier = tierAt(target);
      if (tier !== undefined) choose(tier);
    },
    stop: () => {
      listening.abort();
      resizing.disconnect();
      clearTimeout(timer);
    },
  };
}
