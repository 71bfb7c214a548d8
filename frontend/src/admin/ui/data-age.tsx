import { ageText } from '../api/data-age.ts';

/** A line above data that are noticeably old. */
export function DataAge({ seconds }: { readonly seconds: number }) {
  const text = ageText(seconds);
  return text === undefined ? null : <p role="status">{text}</p>;
}
