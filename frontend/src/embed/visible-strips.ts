import type { VisibleRectangle } from './visible-rectangle.ts';

const stripPixels = 40;
/** Measuring stops after this many frames without a change. */
const stableFrames = 12;

/**
 * Needs no help from the parent: an IntersectionObserver without a root measures against the top window, even across
 * origins, but fires only at its thresholds. So strips along the iframe detect movement, and a second observer measures
 * each frame until the movement ends.
 * @returns a function that stops watching.
 */
export function watchStrips(onChange: (visible: VisibleRectangle) => void): () => void {
  const ruler = document.createElement('div');
  ruler.ariaHidden = 'true';
  ruler.style.cssText = 'position:fixed;inset:0 auto 0 0;width:1px;z-index:-1;pointer-events:none';
  document.body.append(ruler);

  const follower = followRuler(ruler, onChange);
  const strips = new IntersectionObserver(() => follower.wake(), { threshold: [0, 0.5, 1] });
  const layOutStrips = () => {
    strips.disconnect();
    ruler.replaceChildren(...stripsFor(window.innerHeight));
    for (const strip of ruler.children) strips.observe(strip);
  };
  layOutStrips();
  window.addEventListener('resize', layOutStrips);
  return () => {
    window.removeEventListener('resize', layOutStrips);
    strips.disconnect();
    follower.stop();
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

/** Observing an element again reports its exact rectangle once, in the next frame. */
function followRuler(ruler: HTMLElement, onChange: (visible: VisibleRectangle) => void) {
  let last = '';
  let framesLeft = 0;
  const observer = new IntersectionObserver((entries) => {
    const rectangle = entries.at(-1)?.intersectionRect;
    const [top, bottom] = [Math.ceil(rectangle?.top ?? 0), Math.floor(rectangle?.bottom ?? 0)];
    observer.unobserve(ruler);
    framesLeft = last === `${top} ${bottom}` ? framesLeft - 1 : stableFrames;
    if (framesLeft === stableFrames) onChange({ top, bottom });
    last = `${top} ${bottom}`;
    if (framesLeft > 0) observer.observe(ruler);
  });
  return {
    wake: () => {
      if (framesLeft > 0) return;
      framesLeft = stableFrames;
      observer.observe(ruler);
    },
    stop: () => observer.disconnect(),
  };
}
