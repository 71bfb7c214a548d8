import type { Disaster } from './disasters.ts';
import { everythingWritten, leaksIn } from './leaks.ts';
import { personNumber } from './people.ts';
import { describe, type Plan, planOf } from './plan.ts';
import { type Arena, openArena, type RunResult, runPlan } from './run-plan.ts';
import { openSetting } from './setting.ts';
import { openStage } from './stage.ts';

export type Campaign = {
  readonly runs: number;
  readonly seed: number;
  /** After the end of a fault, when no other fault comes. */
  readonly paidWithinSeconds?: number;
  readonly say: (line: string) => void;
};

export type Failure = {
  readonly seed: number;
  readonly violations: readonly string[];
  readonly steps: readonly string[];
};

export type Outcome = Omit<RunResult, 'violations' | 'paidAfterSeconds'> & {
  readonly runs: number;
  readonly doubleCharges: number;
  /** Buyers who met a single fault and so had a time limit. */
  readonly timedOrders: number;
  readonly longestWaitSeconds: number;
  /** By kind: an uneventful campaign proves little. */
  readonly disasters: Readonly<Record<string, number>>;
  readonly failures: readonly Failure[];
  readonly leaks: readonly string[];
};

/** A round begins with an empty database, so that checking all of it stays fast. */
const runsPerRound = 25;

/** A seed always gives the same people and disasters, but their timing depends on the machine. */
export async function runCampaign({ runs, seed, say, paidWithinSeconds = 10 }: Campaign): Promise<Outcome> {
  const results: Result[] = [];
  const leaks: string[] = [];
  const started = Date.now();
  const report = (run: Result) => {
    const result = { ...run, violations: [...run.violations, ...waitsAbove(paidWithinSeconds, run)] };
    results.push(result);
    const seconds = ((Date.now() - started) / 1000).toFixed(0);
    say(`${results.length} of ${runs} runs, ${seconds} s, seed ${result.seed}: ${verdictOn(result)}`);
  };
  while (results.length < runs) {
    const length = Math.min(runsPerRound, runs - results.length);
    const first = seed + results.length;
    const plans = Array.from({ length }, (_, after) => planOf(first + after));
    const scenes = Map.groupBy(plans, ({ setting, isTimed }) => `${setting} ${isTimed}`);
    for (const chosen of scenes.values()) leaks.push(...(await runRounds(chosen, report)));
  }
  return { ...outcomeOf(results), leaks };
}

type Result = RunResult & { readonly seed: number };

function waitsAbove(most: number, { paidAfterSeconds }: RunResult): readonly string[] {
  return paidAfterSeconds
    .filter((seconds) => seconds > most)
    .map((seconds) => `an order was paid ${seconds.toFixed(1)} s after the end of the fault, and not within ${most} s`);
}

/**
 * A round ends with its first run that is not in order, because the next one would report its faults again.
 * @returns the places with personal data.
 */
async function runRounds(plans: readonly Plan[], report: (result: Result) => void): Promise<readonly string[]> {
  const leaks: string[] = [];
  for (let done = 0; done < plans.length; ) {
    const first = plans[done];
    if (first === undefined) break;
    const round = await openRound(first);
    try {
      for (let isFine = true; isFine && done < plans.length; done += 1) {
        const plan = plans[done] ?? first;
        const result = { ...(await runPlan(round.arena, plan)), seed: plan.seed };
        report(result);
        isFine = isInOrder(result);
      }
      leaks.push(...(await round.leaks()));
    } finally {
      await round.close();
    }
  }
  return leaks;
}

function isInOrder({ violations, stuck }: RunResult): boolean {
  return violations.length === 0 && stuck === 0;
}

function verdictOn(result: RunResult): string {
  const { violations, stuck } = result;
  return isInOrder(result) ? 'in order' : `NOT IN ORDER, ${stuck} stuck\n${violations.join('\n')}`;
}

function outcomeOf(results: readonly Result[]): Omit<Outcome, 'leaks'> {
  const sum = (value: (result: RunResult) => number) => results.reduce((total, result) => total + value(result), 0);
  return {
    runs: results.length,
    orders: sum(({ orders }) => orders),
    doubleCharges: sum(({ violations }) => violations.filter((sentence) => sentence.startsWith('I1 ')).length),
    timedOrders: sum(({ paidAfterSeconds }) => paidAfterSeconds.length),
    longestWaitSeconds: Math.max(0, ...results.flatMap(({ paidAfterSeconds }) => paidAfterSeconds)),
    refunds: sum(({ refunds }) => refunds),
    stuck: sum(({ stuck }) => stuck),
    deaths: sum(({ deaths }) => deaths),
    cuts: sum(({ cuts }) => cuts),
    disasters: disastersOf(results.map(({ seed }) => planOf(seed))),
    databaseCrashes: sum(({ databaseCrashes }) => databaseCrashes),
    failures: results
      .filter((result) => !isInOrder(result))
      .map(({ seed, violations }) => ({ seed, violations, steps: describe(planOf(seed)) })),
  };
}

function disastersOf(plans: readonly Plan[]): Readonly<Record<string, number>> {
  const counts = new Map<string, number>();
  const count = (name: string) => counts.set(name, (counts.get(name) ?? 0) + 1);
  for (const { setting, disasters } of plans) {
    count(`setting: ${setting}`);
    for (const disaster of disasters) {
      const isFailover = setting === 'standby' && disaster.kind === 'crash';
      if (isFailover) count('failover');
      else count(disaster.kind === 'square' ? `Square: ${disaster.fault.kind}` : nameOf(disaster));
    }
  }
  return Object.fromEntries([...counts].toSorted(([, first], [, second]) => second - first));
}

function nameOf(disaster: Exclude<Disaster, { kind: 'square' }>): string {
  switch (disaster.kind) {
    case 'point':
      return `${disaster.act} at a point`;
    case 'freeze':
      return disaster.who === 'database' ? 'freeze of the database' : 'freeze of a server';
    case 'clock':
      return disaster.who === 'database' ? 'step of the database clock' : 'step of a server clock';
    case 'full':
      return `full disk, with the ${disaster.part}`;
    case 'silence':
      return `silence, then ${disaster.ending}`;
    case 'mail':
      return `mail server: ${disaster.fault}`;
    case 'break':
      return `break at the ${disaster.at} of an append`;
    default:
      return disaster.kind;
  }
}

type Round = {
  readonly arena: Arena;
  readonly leaks: () => Promise<readonly string[]>;
  readonly close: () => Promise<void>;
};

/** Timed runs have production's leases and intervals. */
async function openRound({ isTimed, setting }: Plan): Promise<Round> {
  const opened = await openSetting(setting);
  const { database, serversUrl: databaseUrl, shape } = opened;
  const { url: ownerUrl, ownerSql } = database;
  const stage = await openStage({ databaseUrl, ownerUrl, ownerSql, shape, ...(isTimed ? {} : { leaseSeconds: 2 }) });
  const changes = isTimed ? { hurry: 1 } : {};
  const arena = await openArena(stage, { database, changes, firstRoot: opened.firstRoot });
  return {
    arena,
    leaks: async () => {
      const log = { where: "PostgreSQL's own log", text: await database.log() };
      const people = Array.from({ length: arena.people }, (_, before) => personNumber(before + 1));
      return leaksIn([log, ...(await everythingWritten(stage))], people);
    },
    close: async () => {
      await stage.close();
      await opened.close();
    },
  };
}
