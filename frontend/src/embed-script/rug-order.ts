import { createNavbar, type Navbar } from './navbar.ts';
import { rememberHeight, reservedHeight } from './reserved-height.ts';

/**
 * `<rug-order src="https://orders.example">` creates the iframe, sets its height and reports its visible part. It shows
 * the bar, which could not stick to the viewport inside a tall iframe. Its child nodes are the fallback content.
 */

/** Without a message for this long, a loaded iframe counts as blocked. */
const blockedAfterMilliseconds = 8000;
/** Larger values cannot come from an order form. */
const maxHeight = 100_000;
const maxRugs = 100;
/** `$9,999,999.99`, with room to spare. */
const maxTotalCharacters = 16;

/** Two visible forms would draw their bars in the same place and overwrite each other's draft. */
let answering: HTMLIFrameElement | undefined;

class RugOrder extends HTMLElement {
  #left = new AbortController();
  #root = this.attachShadow({ mode: 'open' });

  connectedCallback(): void {
    const address = new URL(this.getAttribute('src') ?? '', document.baseURI);
    // Without a valid address, only the fallback content is shown.
    if (!/^https?:$/.test(address.protocol)) return;
    this.#left = new AbortController();
    embed({ host: this, root: this.#root, address, left: this.#left.signal });
  }

  disconnectedCallback(): void {
    this.#left.abort();
  }
}

type Embedded = {
  readonly host: HTMLElement;
  readonly root: ShadowRoot;
  readonly address: URL;
  readonly left: AbortSignal;
};

function embed({ host, root, address, left }: Embedded): void {
  const { origin } = address;
  // Without the styles the element's width cannot be measured.
  root.adoptedStyleSheets = [styles];
  const frame = createFrame(host, address);
  const fallback = document.createElement('slot');
  fallback.hidden = true;
  fallback.append(linkTo(address, frame.title));
  let hasAnswered = false;

  const post = (message: object) => frame.contentWindow?.postMessage(message, origin);
  const navbar = createNavbar(post);
  root.replaceChildren(frame, fallback, navbar.element);

  const reportViewport = oncePerFrame(() => {
    const { top, height } = frame.getBoundingClientRect();
    const visibleTop = Math.max(0, headerHeight() - top);
    const bottom = Math.min(height, innerHeight - navbar.height() - top);
    if (hasAnswered) post({ type: 'VIEWPORT', top: visibleTop, bottom: Math.max(visibleTop, bottom) });
  });
  addEventListener('scroll', reportViewport, { passive: true, capture: true, signal: left });
  addEventListener('resize', reportViewport, { passive: true, signal: left });

  frame.addEventListener('load', () => {
    setTimeout(() => {
      fallback.hidden = hasAnswered;
    }, blockedAfterMilliseconds);
  });
  addEventListener(
    'message',
    ({ origin: from, source, data }: MessageEvent<unknown>) => {
      if (from !== origin || source !== frame.contentWindow || typeof data !== 'object' || data === null) return;
      if (answering !== frame && answering?.offsetWidth) {
        root.replaceChildren(fallback);
        fallback.hidden = false;
        return;
      }
      answering = frame;
      hasAnswered = true;
      fallback.hidden = true;
      handleMessage({ host, frame, navbar }, data as Message);
      reportViewport();
    },
    { signal: left },
  );
}

function createFrame(host: HTMLElement, address: URL): HTMLIFrameElement {
  const frame = document.createElement('iframe');
  frame.title = host.title || host.getAttribute('label') || 'Order rug cleaning';
  // Tells the form, before any message, that this script shows the bar.
  frame.name = 'parent-navbar';
  frame.allow = 'payment';
  frame.loading = host.getAttribute('loading') === 'eager' ? 'eager' : 'lazy';
  // Browsers without `ancestorOrigins` learn the parent's origin from the referrer.
  frame.referrerPolicy = 'origin';
  frame.style.height = `${reservedHeight(host.clientWidth)}px`;
  frame.src = address.href;
  return frame;
}

/** From the form. The parent page must not trust the content of an iframe. */
type Message = {
  readonly type?: unknown;
  readonly height?: unknown;
  readonly rugCount?: unknown;
  readonly activeRugIndex?: unknown;
  readonly currentStep?: unknown;
  readonly isSticky?: unknown;
  readonly orderId?: unknown;
  readonly total?: unknown;
};

type Parts = { readonly host: HTMLElement; readonly frame: HTMLIFrameElement; readonly navbar: Navbar };

function handleMessage({ host, frame, navbar }: Parts, message: Message): void {
  const { type, height, rugCount, activeRugIndex, orderId, total } = message;
  if (type === 'IFRAME_HEIGHT' && isCount(height, maxHeight)) {
    frame.style.height = `${height}px`;
    if (!navbar.isHiddenForCheckout()) rememberHeight(host.clientWidth, height);
  }
  if (type === 'NAVBAR_UPDATE' && isCount(rugCount, maxRugs) && isCount(activeRugIndex, Math.max(rugCount - 1, 0))) {
    navbar.update({ rugCount, activeRugIndex, isCart: message.currentStep === 1, isSticky: message.isSticky === true });
  }
  if (type === 'TOTAL_UPDATE') navbar.showTotal(typeof total === 'string' ? total.slice(0, maxTotalCharacters) : '');
  if (type === 'HIDE_NAVBAR_FOR_CHECKOUT') navbar.hideForCheckout(true);
  if (type === 'SHOW_NAVBAR_AFTER_CHECKOUT') navbar.hideForCheckout(false);
  if (type === 'SCROLL_TO_IFRAME_TOP') scrollToTop(host);
  if (type === 'ORDER_PLACED' && typeof orderId === 'string') {
    host.dispatchEvent(new CustomEvent('order-placed', { bubbles: true, detail: { orderId } }));
  }
}

function isCount(value: unknown, max: number): value is number {
  return Number.isInteger(value) && (value as number) >= 0 && (value as number) <= max;
}

/** In pixels. A page with a sticky header declares its height as `scroll-padding-top`. */
function headerHeight(): number {
  return Number.parseFloat(getComputedStyle(document.documentElement).scrollPaddingTop) || 0;
}

/** Not if the form's top is already in the upper half of the viewport. */
function scrollToTop(host: HTMLElement): void {
  const { top } = host.getBoundingClientRect();
  if (top >= headerHeight() && top < innerHeight / 2) return;
  const reducesMotion = matchMedia('(prefers-reduced-motion: reduce)').matches;
  host.scrollIntoView({ block: 'start', behavior: reducesMotion ? 'auto' : 'smooth' });
}

function linkTo(address: URL, text: string): HTMLElement {
  const link = document.createElement('a');
  link.href = address.href;
  link.textContent = text;
  return link;
}

function oncePerFrame(run: () => void): () => void {
  let request = 0;
  return () => {
    cancelAnimationFrame(request);
    request = requestAnimationFrame(run);
  };
}

/** Allowed even if the page's content security policy forbids inline styles. */
const styles = new CSSStyleSheet();
styles.replaceSync(
  ':host{display:block}:host([hidden]){display:none}' +
    'iframe{display:block;width:100%;border:0;color-scheme:light}' +
    'nav{position:fixed;z-index:2147483000;inset:auto 0 0;padding-bottom:env(safe-area-inset-bottom);' +
    'border-top:1px solid #e4dcd1;background:#fff;color:#2d3a72;box-shadow:0 -6px 20px rgb(33 26 20/10%);' +
    'font:600 17px/1.5 system-ui,-apple-system,"Segoe UI",Roboto,Arial,sans-serif;color-scheme:light}' +
    '[hidden]{display:none!important}' +
    'progress{display:block;width:100%;height:5px;border:0;background:#e4dcd1;appearance:none}' +
    'progress::-webkit-progress-bar{background:#e4dcd1}progress::-webkit-progress-value{background:#2d3a72}' +
    'progress::-moz-progress-bar{background:#2d3a72}' +
    'div{display:flex;gap:8px;max-width:1120px;margin:auto;padding:8px 12px}' +
    'ul{display:flex;flex:1;gap:4px;min-width:0;margin:-5px -8px;padding:5px 8px;overflow-x:auto;list-style:none;scrollbar-width:none;position:relative}' +
    'button{flex:none;min-height:44px;padding:0 12px;border:1px solid transparent;border-radius:10px;' +
    'background:none;color:inherit;font:inherit;white-space:nowrap;cursor:pointer}' +
    'button:hover,[aria-current]{background:#eef0f8}[aria-current]{border-color:#2d3a72;color:#1f2a57}' +
    ':focus-visible{outline:3px solid #f2a900;outline-offset:2px;box-shadow:0 0 0 2px #211a14}' +
    'div>button{border-color:#2d3a72}span{margin-left:12px;font-size:19px;font-variant-numeric:tabular-nums}' +
    'span:empty{display:none}@media(width<600px){div>button{line-height:1.25}span{display:block;margin:0;font-size:15px}}' +
    '@media(width<480px){div{gap:4px;padding-inline:8px}button{padding:0 8px;font-size:15px}}',
);

if (customElements.get('rug-order') === undefined) customElements.define('rug-order', RugOrder);
