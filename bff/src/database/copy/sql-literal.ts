/** A text as an SQL literal, for statements without parameters such as COPY. */
export function literal(text: string): string {
  return `'${text.replaceAll("'", "''")}'`;
}
