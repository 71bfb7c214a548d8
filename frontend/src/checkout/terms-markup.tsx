import { createElement, Fragment, type ReactNode } from 'react';
import { createPolicy } from '../shared/trusted-types.ts';

/** With their replacements. Other elements are replaced by their text. */
const allowedElements: Readonly<Record<string, string>> = {
  P: 'p',
  UL: 'ul',
  OL: 'ol',
  LI: 'li',
  BR: 'br',
  STRONG: 'strong',
  B: 'strong',
  EM: 'em',
  I: 'em',
  // The page has its own `h1` and `h2` above the terms.
  H1: 'h3',
  H2: 'h3',
  H3: 'h3',
  H4: 'h3',
};

/** Their text is not for readers. */
const unreadable = new Set(['SCRIPT', 'STYLE', 'TEMPLATE', 'IFRAME', 'OBJECT', 'NOSCRIPT', 'TITLE', 'TEXTAREA', 'SVG']);

const linkProtocols = new Set(['https:', 'http:', 'mailto:', 'tel:']);

/** The parsed document is inert, and only the allowed elements are taken from it. */
const inertPolicy = createPolicy('kilim-terms', { createHTML: (markup) => markup });

/**
 * Parsed into an inert document: no script runs, no resource loads. Of the attributes, only the `href` of links is
 * kept.
 */
export function markupContent(markup: string): ReactNode {
  const { body } = new DOMParser().parseFromString(inertPolicy.createHTML(markup), 'text/html');
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
  const tag = allowedElements[element.tagName];
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
