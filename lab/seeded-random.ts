/** The same seed gives the same choices on every machine. */
export type Random = {
  /** From 0 up to, but not including, `below`. */
  readonly whole: (below: number) => number;
  readonly chance: (probability: number) => boolean;
  readonly pick: <Item>(items: readonly [Item, ...Item[]]) => Item;
  readonly between: (least: number, most: number) => number;
};

/** Mulberry32: 32 bits of state suffice for test data. */
export function seeded(seed: number): Random {
  let state = seed >>> 0;
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = state;
    mixed = Math.imul(mixed ^ (mixed >>> 15), mixed | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  const whole = (below: number) => Math.floor(next() * below);
  return {
    whole,
    chance: (probability) => next() < probability,
    pick: (items) => items[whole(items.length)] ?? items[0],
    between: (least, most) => least + whole(most - least + 1),
  };
}
