import { createHmac } from 'node:crypto';
import { setTimeout } from 'node:timers/promises';
import { type Administrator, refund, signIn } from './administrator.ts';
import { type Buying, buy } from './buyer.ts';
import { personNumber } from './people.ts';
import type { Disaster, Plan } from './plan.ts';
import type { Stage } from './stage.ts';

export type Arena = {
  readonly stage: Stage;
  readonly crashDatabase: () => Promise<void>;
  readonly admin: Administrator;
  /** How many people there were already: each is somebody else. */
  people: number;
};

export async function openArena(stage: Stage, crashDatabase: () => Promise<void>): Promise<Arena> {
  const server = await stage.start();
  return { stage, crashDatabase, admin: await signIn(server), people: 0 };
}

export type RunResult = {
  /** Sentences; none is what everybody hopes for. */
  readonly violations: readonly string[];
  readonly orders: number;
  readonly refunds: number;
  /** Orders that could not be paid, and refunds that were never answered, although everything was there again. */
  readonly stuck: number;
  readonly deaths: number;
  readonly cuts: number;
  readonly databaseCrashes: number;
};

const stuckAfterMs = 45_000;
const serversWanted = 2;

/** Everybody acts while everything goes wrong; then peace comes, and everything has to be in order. */
export async function runPlan(arena: Arena, plan: Plan): Promise<RunResult> {
  const { stage } = arena;
  await fillUp(stage);
  const deadBefore = stage.deaths();
  const complaints: string[] = [];
  const deadline = Date.now() + stuckAfterMs;
  for (const disaster of plan.disasters) await prepare(stage, disaster);
  const buyings = plan.buyers.map((buyer): Buying => {
    arena.people += 1;
    return { stage, plan: buyer, person: personNumber(arena.people), complaints, deadline: () => deadline };
  });
  const buying = Promise.all(buyings.map((each) => shop(arena, each)));
  const striking = Promise.all(plan.disasters.map((disaster) => strike(arena, disaster)));
  await Promise.race([buying, Promise.all([striking, setTimeout(1500)])]);
  await striking;
  await makePeace(stage);
  const refundsOf = await buying;
  const found = await stage.settled();
  return {
    violations: [...complaints, ...found],
    orders: plan.buyers.length,
    refunds: refundsOf.reduce<number>((sum, refunds) => sum + (refunds ?? 0), 0),
    stuck: refundsOf.filter((refunds) => refunds === undefined).length,
    deaths: stage.deaths() - deadBefore,
    cuts: plan.disasters.filter(({ kind }) => kind === 'cut' || kind === 'outage' || kind === 'terminate').length,
    databaseCrashes: plan.disasters.filter(({ kind }) => kind === 'crash').length,
  };
}

/** @returns how many refunds were asked for, or undefined when somebody did not get to an end. */
async function shop({ admin }: Arena, buying: Buying): Promise<number | undefined> {
  const paid = await buy(buying);
  if (paid === undefined) return undefined;
  const { refunds } = buying.plan;
  const answered = await Promise.all(refunds.map((each) => refund({ ...buying, admin }, paid, each)));
  return answered.every(Boolean) ? refunds.length : undefined;
}

async function prepare({ servers, simulator }: Stage, disaster: Disaster): Promise<void> {
  if (disaster.kind === 'square') simulator.setFault(disaster.fault);
  if (disaster.kind === 'point') await servers()[disaster.server]?.arm(disaster.point, disaster.act);
}

async function strike({ stage, crashDatabase }: Arena, disaster: Disaster): Promise<void> {
  if (!('atMs' in disaster)) return;
  await setTimeout(disaster.atMs);
  switch (disaster.kind) {
    case 'kill':
      return stage.servers()[disaster.server]?.kill();
    case 'cut':
      return stage.proxy.cut();
    case 'terminate':
      // The session that guards the embedded server is this campaign's own: a server that is just coming back would be given up.
      await stage.ownerSql`
        select pg_terminate_backend(pid) from pg_stat_activity
        where application_name like 'kilim%' and application_name <> 'kilim owner' and pid <> pg_backend_pid()`.catch(
        () => undefined,
      );
      return;
    case 'crash':
      return crashDatabase();
    case 'outage':
      stage.proxy.block();
      await setTimeout(disaster.forMs);
      return stage.proxy.restore();
    case 'forge':
      return forge(stage);
    case 'replay':
      return replay(stage);
    default:
  }
}

/** Somebody who does not know the key tells that a refund was made, and that a payment was. */
async function forge({ webhooks }: Stage): Promise<void> {
  const body = JSON.stringify({ event_id: crypto.randomUUID(), type: 'payment.updated', data: { id: 'forged' } });
  const signature = createHmac('sha256', 'not the key').update(webhooks.url).update(body).digest('base64');
  const answer = await fetch(webhooks.url, {
    method: 'POST',
    body,
    headers: { 'content-type': 'application/json', 'x-square-hmacsha256-signature': signature },
  }).catch(() => undefined);
  if (answer !== undefined && answer.status < 400) throw new Error('A forged webhook was accepted');
}

/** Square repeats all that it ever told, the newest first. */
async function replay({ square }: Stage): Promise<void> {
  const { events } = await square.events();
  const again = events.slice(-20).toReversed();
  for (const { event } of again) await square.redeliver(event.event_id);
}

async function makePeace(stage: Stage): Promise<void> {
  stage.proxy.restore();
  await stage.square.clearFaults();
  await Promise.all(stage.servers().map((server) => server.disarm()));
  await fillUp(stage);
}

/** As an orchestrator does. */
async function fillUp(stage: Stage): Promise<void> {
  for (;;) {
    const missing = serversWanted - stage.servers().length;
    if (missing <= 0) return;
    await Promise.all(Array.from({ length: missing }, () => stage.start()));
  }
}
