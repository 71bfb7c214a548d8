declare const brand: unique symbol;

/** A value that carries the name of its unit or kind, so that cents are never added to inches. */
export type Brand<Value, Name extends string> = Value & { readonly [brand]: Name };
