import sanitizeHtml from 'sanitize-html';

/** Nothing in terms may run, load or imitate the page. */
const allowed: sanitizeHtml.IOptions = {
  allowedTags: 'h1 h2 h3 h4 p br ul ol li strong b em i u blockquote a hr'.split(' '),
  allowedAttributes: { a: ['href'] },
  allowedSchemes: ['https', 'http', 'mailto', 'tel'],
  allowProtocolRelative: false,
  disallowedTagsMode: 'discard',
};

/** Cleaning is idempotent. */
export function cleanTerms(markup: string): string {
  return sanitizeHtml(markup, allowed).trim();
}
