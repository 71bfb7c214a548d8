import type { IOptions } from 'sanitize-html';

/** Nothing in terms may run, load or imitate the page. */
const allowed: IOptions = {
  allowedTags: 'h1 h2 h3 h4 p br ul ol li strong b em i u blockquote a hr'.split(' '),
  allowedAttributes: { a: ['href'] },
  allowedSchemes: ['https', 'http', 'mailto', 'tel'],
  allowProtocolRelative: false,
  disallowedTagsMode: 'discard',
};

/** Cleaning is idempotent. A start is shorter without the parser of HTML, which only a save of the settings needs. */
export async function cleanTerms(markup: string): Promise<string> {
  const { default: sanitizeHtml } = await import('sanitize-html');
  return sanitizeHtml(markup, allowed).trim();
}
