import { createElement, Fragment, type ReactNode } from 'react';

/**
 * The markup that terms may have, and what becomes of it. Of anything else only the words are
 * shown.
 */
const shownAs: Readonly<Record<string, string>> = {
  P: 'p',
  UL: 'ul',
  OL: 'ol',
  LI: 'li',
  BR: 'br',
  STRONG: 'strong',
  B: 'strong',
  EM: 'em',
  I: 'em',
  // The page has headings of its own above these.
  H1: 'h3',
  H2: 'h3',
  H3: 'h3',
  H4: 'h3',
};

/** Elements whose text is no text for people. */
const unreadable = new Set(['SCRIPT', 'STYLE', 'TEMPLATE', 'IFRAME', 'OBJECT', 'NOSCRIPT', 'TITLE', 'TEXTAREA', 'SVG']);

const linkProtocols = new Set(['https:', 'http:', 'mailto:', 'tel:']);

/**
 * A text that may hold markup, as elements of this page. The markup is parsed as an inert document:
 * no script of it runs, nothing of it is loaded, and none of its attributes is taken but the
 * address of a link.
 */
export function markupContent(markup: string): ReactNode {
  const { body } = new DOMParser().parseFromString(markup, 'text/html');
  for (const element of body.querySelectorAll('*')) {
    if (unreadable.has(element.tagName.toUpperCase())) element.remove();
  }
  return contentOf(body);
}

function contentOf(parent: Node): ReactNode[] {
  return [...parent.childNodes].map((node, index) => {
    if (node.nodeType === Node.TEXT_NODE) return node.textContent;
    if (node.nodeType !== Node.ELEMENT_NODE) return null;
    return elementFor(node as Element, index);
  });
}

function elementFor(element: Element, key: number): ReactNode {
  const tag = shownAs[element.tagName];
  if (tag === 'br') return createElement(tag, { key });
  const content = contentOf(element);
  if (tag !== undefined) return createElement(tag, { key }, ...content);
  const address = element.tagName === 'A' ? addressOf(element.getAttribute('href')) : undefined;
  if (address === undefined) return createElement(Fragment, { key }, ...content);
  return createElement('a', { key, href: address, target: '_blank', rel: 'noopener noreferrer' }, ...content);
}

function addressOf(href: string | null): string | undefined {
  if (href === null || !URL.canParse(href, document.baseURI)) return undefined;
  const url = new URL(href, document.baseURI);
  return linkProtocols.has(url.protocol) ? url.href : undefined;
}
