type Write = (more: { readonly leftOut?: number }) => void;

/** Strangers choose what makes lines different, such as their network. */
const mostKinds = 100;

/**
 * Keeps strangers from pushing older lines out of a log of limited size. Lines of the next minute are counted; one line
 * at its end says how many. Beyond 100 kinds, all others count as one.
 */
export function thinOut(): (kind: string, write: Write) => void {
  const leftOut = new Map<string, number>();
  return (wanted, write) => {
    const kind = leftOut.has(wanted) || leftOut.size < mostKinds ? wanted : '';
    const before = leftOut.get(kind);
    leftOut.set(kind, before === undefined ? 0 : before + 1);
    if (before !== undefined) return;
    write({});
    setTimeout(() => {
      const count = leftOut.get(kind) ?? 0;
      leftOut.delete(kind);
      if (count > 0) write({ leftOut: count });
    }, 60_000).unref();
  };
}
