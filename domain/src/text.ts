/**
 * What comes unseen with copied text: marks of direction, zero-width spaces, soft hyphens, control characters. A joiner
 * after a letter of these scripts belongs to its spelling, and a variation selector to the character before it.
 */
const unseen =
  /[\p{DI}\u2800]|[^\P{Cc}\s]|([\p{scx=Arab}\p{scx=Deva}\p{scx=Beng}\p{scx=Guru}\p{scx=Gujr}\p{scx=Orya}\p{scx=Taml}\p{scx=Telu}\p{scx=Knda}\p{scx=Mlym}\p{scx=Sinh}\p{scx=Han}\p{Extended_Pictographic}][\uFE00-\uFE0F\u{E0100}-\u{E01EF}]?[\u200C\u200D]?)/gu;

/** Several lines of text without the unseen characters. */
export function visibleText(text: string): string {
  return text.replaceAll(/\r\n?/g, '\n').replaceAll(unseen, '$1');
}

/** As a person sees it: visible characters, single spaces, nothing around them. */
export function oneLine(text: string): string {
  return text.replaceAll(unseen, '$1').replaceAll(/\s+/g, ' ').trim();
}

/** The same with plain letters and digits for those of a full-width keyboard and of Arabic and Persian. */
export function plainLine(text: string): string {
  return oneLine(text.normalize('NFKC')).replaceAll(/[٠-٩۰-۹]/g, (digit) => String(digit.charCodeAt(0) & 15));
}
