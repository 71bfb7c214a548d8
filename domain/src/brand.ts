declare const brand: unique symbol;

/** Keeps cents from being added to inches. */
export type Brand<Value, Name extends string> = Value & { readonly [brand]: Name };
