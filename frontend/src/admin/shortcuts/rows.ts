/** The link of each row of the list. It has the attribute `data-opens` with the id of what it opens. */
export function linksOfRows(): readonly HTMLElement[] {
  return [...document.querySelectorAll<HTMLElement>('[data-opens]')];
}

/** Moves the focus to the next or the previous row; from elsewhere to the first one. */
export function moveToRow(step: 1 | -1): void {
  const links = linksOfRows();
  const at = links.indexOf(document.activeElement as HTMLElement);
  const next = links[at === -1 ? 0 : Math.max(0, Math.min(at + step, links.length - 1))];
  next?.focus();
  next?.scrollIntoView({ block: 'nearest' });
}
