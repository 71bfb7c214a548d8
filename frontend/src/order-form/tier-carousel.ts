import { type Tier, tiers } from '@kilim/domain/catalog';

/**
 * The slides of the looping row: the three tiers with two copies of neighbours at either end, so
 * that what peeks in at the sides is the same at a copy as at its original, and the jump from one
 * to the other cannot be seen.
 */
export const slides = [-2, -1, 0, 1, 2, 3, 4].map((place) => ({
  place,
  tier: tiers[(place + tiers.length) % tiers.length] as Tier,
  isCopy: place < 0 || place >= tiers.length,
}));
const copiesBefore = 2;

export type TierCarousel = {
  /** Brings a tier into the middle, by way of the place that was asked for last. */
  readonly show: (tier: Tier, glide: boolean) => void;
  /** One tier on or back, around the ends. */
  readonly move: (by: 1 | -1) => void;
  readonly stop: () => void;
};

/**
 * Runs the row: swiping to a tier chooses it. Scrolling that no finger or wheel caused, as a screen
 * reader's, chooses nothing.
 */
export function runCarousel(row: HTMLElement, chosen: () => Tier, choose: (tier: Tier) => void): TierCarousel {
  let target = tiers.indexOf(chosen());
  let swiped = false;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const listening = new AbortController();

  const leftOf = (place: number) => {
    const slide = row.children[place + copiesBefore];
    if (!(slide instanceof HTMLElement)) return 0;
    return slide.offsetLeft + slide.offsetWidth / 2 - row.clientWidth / 2;
  };
  const scrollTo = (place: number, glide: boolean) => {
    target = place;
    const still = window.matchMedia('(prefers-reduced-motion: reduce)').matches;
    row.scrollTo({ left: leftOf(place), behavior: glide && !still ? 'smooth' : 'instant' });
  };
  /** From a copy to its original, at the very same sight. */
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
    heard: (event: HTMLElementEventMap[Type]) => void,
  ) => row.addEventListener(type, heard, { passive: true, signal: listening.signal });
  listen('touchstart', () => {
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
  const resizing = new ResizeObserver(() => scrollTo(tiers.indexOf(chosen()), false));
  resizing.observe(row);

  return {
    show: (tier, glide) => {
      const asked = slides.find(({ place }) => place === target);
      scrollTo(asked?.tier === tier ? target : tiers.indexOf(tier), glide);
    },
    move: (by) => {
      recentre();
      target += by;
      const tier = slides.find(({ place }) => place === target)?.tier;
      if (tier !== undefined) choose(tier);
    },
    stop: () => {
      listening.abort();
      resizing.disconnect();
      clearTimeout(timer);
    },
  };
}
