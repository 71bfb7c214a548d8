/** `render.ts` makes text and HTML of it, which so say the same. */
export type Letter = {
  readonly subject: string;
  readonly heading: string;
  readonly parts: readonly LetterPart[];
  readonly attachments?: readonly Attachment[];
};

export type LetterPart =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'heading'; readonly text: string }
  | { readonly kind: 'list'; readonly items: readonly string[] }
  | { readonly kind: 'amounts'; readonly lines: readonly AmountLine[] }
  | { readonly kind: 'link'; readonly text: string; readonly url: string }
  | { readonly kind: 'verbatim'; readonly text: string };

export type AmountLine = {
  readonly term: string;
  readonly amount: string;
  readonly note?: string;
  readonly isTotal?: true;
};

export type Attachment = { readonly fileName: string; readonly contentType: string; readonly content: string };

export function text(...sentences: readonly string[]): LetterPart {
  return { kind: 'text', text: sentences.join(' ') };
}
