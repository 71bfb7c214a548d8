/** The settings of the business. What only the order form shows is parsed where it is shown, see `offerOf`. */
export type Settings = {
  /** May contain markup, unsanitized. Empty if the business has no terms of its own. */
  readonly terms: string;
  /** All settings, as they were given. */
  readonly given: Fields;
};

export function settingsOf(given: unknown): Settings {
  const fields = fieldsOf(given);
  const { terms } = fields;
  return { terms: typeof terms === 'string' ? terms : '', given: fields };
}

export type Fields = Readonly<Record<string, unknown>>;

/** The own fields of an object. Empty for any other value. */
export function fieldsOf(value: unknown): Fields {
  return typeof value === 'object' && value !== null ? Object.fromEntries(Object.entries(value)) : {};
}
