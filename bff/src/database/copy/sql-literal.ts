/** A text as it is written in a statement, for where parameters are not taken: COPY has none. */
export function literal(text: string): string {
  return `'${text.replaceAll("'", "''")}'`;
}
