/** A new member of a closed union does not compile until it is handled. */
export function unreachable(value: never): never {
  throw new Error(`Not a known case: ${JSON.stringify(value)}`);
}
