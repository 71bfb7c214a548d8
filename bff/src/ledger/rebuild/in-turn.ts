/** Does what it is given as soon as it is its turn. */
export type InTurn = <Answer>(work: () => Promise<Answer>) => Promise<Answer>;

/** So much at once and no more; what comes later waits in line. Whoever waits for other work first gets in line when that is done. */
export function takingTurns(most: number): InTurn {
  let free = most;
  const line: (() => void)[] = [];
  return async (work) => {
    if (free > 0) free -= 1;
    else await new Promise<void>((turn) => line.push(turn));
    try {
      return await work();
    } finally {
      const next = line.shift();
      if (next === undefined) free += 1;
      else next();
    }
  };
}
