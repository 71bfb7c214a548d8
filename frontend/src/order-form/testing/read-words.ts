import { type NumberPlace, readSize } from '../size-text.ts';

/** The words of the choices, or the whole inches. */
export function read(text: string, place: NumberPlace = 'text'): string {
  const { size, choices } = readSize(text, place);
  if (size === undefined) return choices.map(({ words }) => words).join(' | ');
  return size.second === undefined ? `${size.first}` : `${size.first} x ${size.second}`;
}
