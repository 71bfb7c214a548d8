export type JsonBlock = {
  readonly type: 'application/json' | 'application/ld+json';
  readonly id?: string;
  readonly data: unknown;
};

/**
 * A JSON data block is not a script, so it needs no exception in the policy. `<` is escaped so that
 * no text can end the block; so are the line separators that only JSON allows.
 */
export function jsonBlock({ type, id, data }: JsonBlock): string {
  const json = JSON.stringify(data).replaceAll(
    /[<\u2028\u2029]/g,
    (character) => String.raw`\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
  return `<script type="${type}"${id === undefined ? '' : ` id="${id}"`}>${json}</script>`;
}
