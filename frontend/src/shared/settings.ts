/** What only the order form shows is parsed there, see `offerOf`. */
export type Settings = {
  /** May contain markup, unsanitized; empty for the built-in terms. */
  readonly terms: string;
  readonly given: Fields;
};

export function settingsOf(given: unknown): Settings {
  const fields = fieldsOf(given);
  const { terms } = fields;
  return { terms: typeof terms === 'string' ? terms : '', given: fields };
}

export type Fields = Readonly<Record<string, unknown>>;

/** Empty for a value that is no object. */
export function fieldsOf(value: unknown): Fields {
  return typeof value === 'object' && value !== null ? Object.fromEntries(Object.entries(value)) : {};
}
