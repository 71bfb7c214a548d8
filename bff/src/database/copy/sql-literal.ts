/** For statements without parameters, such as COPY. */
export function literal(text: string): string {
  return `'${text.replaceAll("'", "''")}'`;
}
