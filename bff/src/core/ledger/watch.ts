/** An item in the database that one process works on while the others watch it. */
export type Watched = {
  readonly key: string;
  /** Changes whenever the item is taken, released, or its owner gives a sign of life. */
  readonly mark: string;
  /** How long the mark must stay the same before another process may take the item. */
  readonly waitSeconds: number;
};

export type Watch = {
  /** @returns the items whose mark has stayed the same for their `waitSeconds`. */
  readonly due: <Item extends Watched>(items: readonly Item[]) => readonly Item[];
};

/** A longer pause between two looks counts as this much. */
const longestStepMs = 1500;

type Seen = { readonly mark: string; readonly unchangedMs: number };

/**
 * Measures leases by the monotonic clock of this process, so no wall clock can end a lease early or
 * prolong it. Only time in which this process was looking counts: after its own freeze or outage it
 * knows nothing about the others.
 *
 * @param now milliseconds of a monotonic clock.
 */
export function createWatch(now: () => number = () => performance.now()): Watch {
  let seen = new Map<string, Seen>();
  let lookedAt = now();
  return {
    due: (items) => {
      const at = now();
      const stepMs = Math.min(at - lookedAt, longestStepMs);
      lookedAt = at;
      const before = seen;
      const unchangedMs = ({ key, mark }: Watched) => {
        const known = before.get(key);
        return known?.mark === mark ? known.unchangedMs + stepMs : 0;
      };
      seen = new Map(items.map((item) => [item.key, { mark: item.mark, unchangedMs: unchangedMs(item) }]));
      return items.filter(({ key, waitSeconds }) => (seen.get(key)?.unchangedMs ?? 0) >= waitSeconds * 1000);
    },
  };
}
