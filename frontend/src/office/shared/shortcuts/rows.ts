/** Their attribute `data-opens` has the id of what they open. */
export function linksOfRows(): readonly HTMLElement[] {
  return [...document.querySelectorAll<HTMLElement>('[data-opens]')];
}

/** From elsewhere, to the first row. */
export function moveToRow(step: 1 | -1): void {
  const links = linksOfRows();
  const at = links.indexOf(document.activeElement as HTMLElement);
  const next = links[at === -1 ? 0 : Math.max(0, Math.min(at + step, links.length - 1))];
  next?.focus();
  next?.scrollIntoView({ block: 'nearest' });
}
