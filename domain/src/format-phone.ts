/** `(310) 555-0142`, also of `+1 310-555-0142`; another text, as one with an extension, stays as it is. */
export function formatPhone(text: string): string {
  return text.replace(/^(?:\+|00)?1?\D*(\d{3})\D*(\d{3})\D*(\d{4})\D*$/, '($1) $2-$3');
}
