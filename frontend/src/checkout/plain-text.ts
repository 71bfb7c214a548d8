/**
 * The words of a text that may hold markup. The markup is parsed as an inert document: no script of it runs, nothing of it
 * is loaded, and only its text is taken.
 */
export function plainText(markup: string): string {
  const broken = markup.replaceAll(/<br\s*\/?>|<\/(p|div|li|h[1-6])>/gi, (end) => `${end}\n`);
  const text = new DOMParser().parseFromString(broken, 'text/html').body.textContent;
  return text.replaceAll(/\n{3,}/g, '\n\n').trim();
}
