import sanitizeHtml from 'sanitize-html';

/** What the checkout shows of terms: paragraphs, lists, emphasis and links, and nothing that could run, load or pretend to be ours. */
const allowed: sanitizeHtml.IOptions = {
  allowedTags: [
    'h1',
    'h2',
    'h3',
    'h4',
    'p',
    'br',
    'ul',
    'ol',
    'li',
    'strong',
    'b',
    'em',
    'i',
    'u',
    'blockquote',
    'a',
    'hr',
  ],
  allowedAttributes: { a: ['href'] },
  allowedSchemes: ['https', 'http', 'mailto', 'tel'],
  allowProtocolRelative: false,
  disallowedTagsMode: 'discard',
};

/** Terms as they are kept. Cleaning what is clean changes nothing. */
export function cleanTerms(markup: string): string {
  return sanitizeHtml(markup, allowed).trim();
}
