import { everythingWritten, leaksIn } from './leaks.ts';
import { type OwnDatabase, openOwnDatabase } from './own-database.ts';
import { personNumber } from './people.ts';
import { type Disaster, describe, type Plan, planOf } from './plan.ts';
import { type Arena, openArena, type RunResult, runPlan } from './run-plan.ts';
import { openStage } from './stage.ts';

export type Campaign = {
  readonly runs: number;
  readonly seed: number;
  /** One line now and then, for whoever waits. */
  readonly say: (line: string) => void;
};

export type Failure = {
  readonly seed: number;
  readonly violations: readonly string[];
  readonly steps: readonly string[];
};

export type Outcome = Omit<RunResult, 'violations'> & {
  readonly runs: number;
  readonly doubleCharges: number;
  /** How many of each kind of disaster were planned, so that nobody takes a quiet campaign for a good one. */
  readonly disasters: Readonly<Record<string, number>>;
  readonly failures: readonly Failure[];
  /** Where something personal was written that belongs nowhere. */
  readonly leaks: readonly string[];
};

/** Each round begins with an empty database, so that looking through everything stays quick. */
const runsPerRound = 25;

/**
 * Runs that differ in everything that can be chosen. A seed gives the same people and the same disasters again; when exactly they meet is
 * up to the machine.
 */
export async function runCampaign({ runs, seed, say }: Campaign): Promise<Outcome> {
  const results: (RunResult & { readonly seed: number })[] = [];
  const leaks: string[] = [];
  const started = Date.now();
  while (results.length < runs) {
    const round = await openRound();
    try {
      for (let done = 0; done < runsPerRound && results.length < runs; done += 1) {
        const runSeed = seed + results.length;
        const result = { ...(await runPlan(round.arena, planOf(runSeed))), seed: runSeed };
        results.push(result);
        const seconds = ((Date.now() - started) / 1000).toFixed(0);
        say(`${results.length} of ${runs} runs, ${seconds} s, seed ${runSeed}: ${wordFor(result)}`);
      }
      leaks.push(...(await round.leaks()));
    } finally {
      await round.close();
    }
  }
  return { ...outcomeOf(results), leaks };
}

function wordFor({ violations, stuck }: RunResult): string {
  return violations.length === 0 && stuck === 0 ? 'in order' : `NOT IN ORDER, ${stuck} stuck\n${violations.join('\n')}`;
}

function outcomeOf(results: readonly (RunResult & { readonly seed: number })[]): Omit<Outcome, 'leaks'> {
  const sum = (value: (result: RunResult) => number) => results.reduce((total, result) => total + value(result), 0);
  return {
    runs: results.length,
    orders: sum(({ orders }) => orders),
    doubleCharges: sum(({ violations }) => violations.filter((sentence) => sentence.startsWith('I1 ')).length),
    refunds: sum(({ refunds }) => refunds),
    stuck: sum(({ stuck }) => stuck),
    deaths: sum(({ deaths }) => deaths),
    cuts: sum(({ cuts }) => cuts),
    disasters: disastersOf(results.map(({ seed }) => planOf(seed))),
    databaseCrashes: sum(({ databaseCrashes }) => databaseCrashes),
    failures: results
      .filter(({ violations, stuck }) => violations.length > 0 || stuck > 0)
      .map(({ seed, violations }) => ({ seed, violations, steps: describe(planOf(seed)) })),
  };
}

function disastersOf(plans: readonly Plan[]): Readonly<Record<string, number>> {
  const counts = new Map<string, number>();
  for (const disaster of plans.flatMap(({ disasters }) => disasters)) {
    const name = disaster.kind === 'square' ? `Square: ${disaster.fault.kind}` : nameOf(disaster);
    counts.set(name, (counts.get(name) ?? 0) + 1);
  }
  return Object.fromEntries([...counts].toSorted(([, first], [, second]) => second - first));
}

function nameOf(disaster: Exclude<Disaster, { kind: 'square' }>): string {
  return disaster.kind === 'point' ? `${disaster.act} at a point` : disaster.kind;
}

type Round = {
  readonly arena: Arena;
  readonly leaks: () => Promise<readonly string[]>;
  readonly close: () => Promise<void>;
};

async function openRound(): Promise<Round> {
  const database: OwnDatabase = await openOwnDatabase();
  const stage = await openStage({ databaseUrl: database.url, ownerSql: database.ownerSql, leaseSeconds: 2 });
  const arena = await openArena(stage, database.crash);
  return {
    arena,
    leaks: async () => {
      const log = { where: "PostgreSQL's own log", text: await database.log() };
      const people = Array.from({ length: arena.people }, (_, before) => personNumber(before + 1));
      return leaksIn([log, ...(await everythingWritten(stage))], people);
    },
    close: async () => {
      await stage.close();
      await database.close();
    },
  };
}
