import { setTimeout } from 'node:timers/promises';
import { repeatWhileAway } from '../../../bff/src/core/database/repeat-while-away.ts';
import { type Administrator, refund, signIn } from './administrator.ts';
import { type Buying, buy } from './buyer.ts';
import { paidOrder } from './customer.ts';
import { lastEndMs } from './disasters.ts';
import { measure } from './measuring.ts';
import type { OwnDatabase } from './own-database.ts';
import { personNumber } from './people.ts';
import { hasGoodCard, type Plan } from './plan.ts';
import type { Changes } from './points.ts';
import type { OpenedSetting } from './setting.ts';
import type { Stage } from './stage.ts';
import { prepare, strike } from './strike.ts';

export type Arena = {
  readonly stage: Stage;
  readonly database: OwnDatabase;
  readonly changes: Partial<Changes>;
  readonly admin: Administrator;
  people: number;
};

export async function openArena(
  stage: Stage,
  { firstRoot, ...options }: Omit<Arena, 'stage' | 'admin' | 'people'> & Pick<OpenedSetting, 'firstRoot'>,
): Promise<Arena> {
  const [server] = await Promise.all(
    Array.from({ length: serversWanted }, () => stage.start(options.changes, firstRoot)),
  );
  if (server === undefined) throw new Error('No server was started');
  // The first connections must not count as waiting.
  await Promise.all(stage.servers().map((each) => paidOrder(stage, each)));
  return { ...options, stage, admin: await signIn(server), people: 0 };
}

export type RunResult = {
  readonly violations: readonly string[];
  readonly orders: number;
  readonly refunds: number;
  readonly stuck: number;
  /** For each buyer with a good card; timed runs only. */
  readonly paidAfterSeconds: readonly number[];
  readonly deaths: number;
  readonly cuts: number;
  readonly databaseCrashes: number;
};

/** From the end of the last disaster. */
const stuckAfterMs = 45_000;
const serversWanted = 2;

/** Buyers and disasters at the same time; then restores everything, and looks for violations. */
export async function runPlan(arena: Arena, plan: Plan): Promise<RunResult> {
  const { stage } = arena;
  await fillUp(arena);
  const deadBefore = stage.deaths();
  const complaints: string[] = [];
  const deadline = Date.now() + lastEndMs(plan.disasters) + stuckAfterMs;
  for (const disaster of plan.disasters) await prepare(arena, disaster);
  const buyings = plan.buyers.map((buyer): Buying => {
    arena.people += 1;
    const person = personNumber(arena.people);
    return { stage, plan: buyer, person, complaints, deadline: () => deadline, times: {} };
  });
  const buying = Promise.all(buyings.map((each) => shop(arena, each)));
  const began = Date.now();
  const startServer = () => stage.start(arena.changes);
  const target = { stage, database: arena.database, complaints, startServer };
  const striking = Promise.all(plan.disasters.map((disaster) => strike(target, disaster)));
  const struck = striking.then((ends) => Math.max(began, ...ends.filter((end) => end !== undefined)));
  await Promise.race([buying, Promise.all([striking, setTimeout(1500)])]);
  const faultEnded = await struck;
  await restoreAll(arena);
  const refundsOf = await buying;
  const found = [...(await stage.settled()), ...(await stage.mailed())];
  return {
    violations: [...complaints, ...found],
    orders: plan.buyers.length,
    refunds: refundsOf.reduce<number>((sum, refunds) => sum + (refunds ?? 0), 0),
    stuck: refundsOf.filter((refunds) => refunds === undefined).length,
    paidAfterSeconds: plan.isTimed ? waitsOf(buyings, faultEnded) : [],
    deaths: stage.deaths() - deadBefore,
    cuts: plan.disasters.filter(({ kind }) => kind === 'cut' || kind === 'outage' || kind === 'terminate').length,
    databaseCrashes: plan.disasters.filter(({ kind }) => kind === 'crash').length,
  };
}

/** From the end of the fault, or from the buyer's start if that was later. */
function waitsOf(buyings: readonly Buying[], faultEnded: number): readonly number[] {
  return buyings.flatMap(({ plan, times: { began, paid } }) => {
    if (!hasGoodCard(plan) || began === undefined || paid === undefined) return [];
    return [Math.max(0, paid - Math.max(began, faultEnded)) / 1000];
  });
}

/** @returns how many refunds were requested; undefined when something got stuck. */
async function shop({ admin }: Arena, buying: Buying): Promise<number | undefined> {
  const paid = await buy(buying);
  if (paid === undefined) return undefined;
  const { refunds, measuring: plan } = buying.plan;
  const answered = await Promise.all([
    ...refunds.map((each) => refund({ ...buying, admin }, paid, each)),
    ...(plan === undefined ? [] : [measure({ ...buying, admin, paid, plan })]),
  ]);
  return answered.every(Boolean) ? refunds.length : undefined;
}

async function restoreAll(arena: Arena): Promise<void> {
  const { stage } = arena;
  stage.proxy.restore();
  stage.restoreToken();
  // While a clock is wrong, nothing is recorded.
  await repeatWhileAway(() => stage.stepDatabaseClock(0));
  await Promise.all(stage.servers().map((server) => server.setClock(0)));
  await stage.square.clearFaults();
  await Promise.all(stage.servers().map((server) => server.disarm()));
  await fillUp(arena);
}

/** As an orchestrator does. A start may fail: the database or its pooler may not have recovered yet. */
async function fillUp({ stage, changes }: Arena): Promise<void> {
  const deadline = Date.now() + startedWithinMs;
  for (;;) {
    const missing = serversWanted - stage.servers().length;
    if (missing <= 0) return;
    const starts = await Promise.allSettled(Array.from({ length: missing }, () => stage.start(changes)));
    const failed = starts.find((start) => start.status === 'rejected');
    if (failed !== undefined && Date.now() > deadline) throw failed.reason;
  }
}

const startedWithinMs = 10_000;
