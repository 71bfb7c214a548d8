/** For the specs; browsers and the server use the JavaScript. */
export type Entry = {
  readonly cardNumber: string;
  readonly expirationDate: string;
  readonly cvv: string;
  readonly postalCode: string;
};
export type Problem = { readonly type: string; readonly field: keyof Entry; readonly message: string };
export type Card = { readonly number: string; readonly brand: string; readonly outcome: string };
export type Trigger = { readonly field: keyof Entry; readonly value: string; readonly outcome: string };

export function problemsOf(entry: Entry, testCards: readonly Card[], now: Date): readonly Problem[];
export function outcomeOf(entry: Entry, testCards: readonly Card[], triggers: readonly Trigger[]): string;
export function mintToken(outcome: string): string;
export function expirationOf(text: string): { readonly month: number; readonly year: number } | undefined;
export function groupedNumber(text: string): string;
export function slashedExpiration(text: string): string;
