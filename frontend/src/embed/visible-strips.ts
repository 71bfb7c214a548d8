import type { VisibleRectangle } from './visible-rectangle.ts';

const stripPixels = 40;
/** For how many looks the view has to stay where it is until we stop looking. */
const stillLooks = 12;

/**
 * Finds the visible part of the frame without the parent's help. An IntersectionObserver without a root looks from the
 * outermost window, even across origins, but it speaks only when a threshold is crossed: strips down the whole frame notice
 * that something moves, and then one look per drawn picture follows it until it rests.
 * @returns what ends it
 */
export function watchStrips(told: (visible: VisibleRectangle) => void): () => void {
  const ruler = document.createElement('div');
  ruler.ariaHidden = 'true';
  ruler.style.cssText = 'position:fixed;inset:0 auto 0 0;width:1px;z-index:-1;pointer-events:none';
  document.body.append(ruler);

  const follower = followRuler(ruler, told);
  const strips = new IntersectionObserver(() => follower.wake(), { threshold: [0, 0.5, 1] });
  const lay = () => {
    strips.disconnect();
    ruler.replaceChildren(...stripsFor(window.innerHeight));
    for (const strip of ruler.children) strips.observe(strip);
  };
  lay();
  window.addEventListener('resize', lay);
  return () => {
    window.removeEventListener('resize', lay);
    strips.disconnect();
    follower.end();
    ruler.remove();
  };
}

function stripsFor(height: number): readonly HTMLElement[] {
  return Array.from({ length: Math.ceil(height / stripPixels) }, (_, index) => {
    const strip = document.createElement('div');
    strip.style.cssText = `position:absolute;top:${index * stripPixels}px;width:1px;height:${stripPixels}px`;
    return strip;
  });
}

/** Observing anew makes the observer speak once, with the exact rectangle, as soon as the next picture is drawn. */
function followRuler(ruler: HTMLElement, told: (visible: VisibleRectangle) => void) {
  let last = '';
  let looksLeft = 0;
  const look = new IntersectionObserver((entries) => {
    const seen = entries.at(-1)?.intersectionRect;
    const [top, bottom] = [Math.ceil(seen?.top ?? 0), Math.floor(seen?.bottom ?? 0)];
    look.unobserve(ruler);
    looksLeft = last === `${top} ${bottom}` ? looksLeft - 1 : stillLooks;
    if (looksLeft === stillLooks) told({ top, bottom });
    last = `${top} ${bottom}`;
    if (looksLeft > 0) look.observe(ruler);
  });
  return {
    wake: () => {
      if (looksLeft > 0) return;
      looksLeft = stillLooks;
      look.observe(ruler);
    },
    end: () => look.disconnect(),
  };
}
