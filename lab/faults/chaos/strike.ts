import { setTimeout } from 'node:timers/promises';
import { repeatWhileAway } from '../../../bff/src/core/database/repeat-while-away.ts';
import { signWebhook } from '../../square/webhook-signature.ts';
import { beginStorm, occupyConnections, terminateServerSessions } from './connection-crowd.ts';
import type { Disaster } from './disasters.ts';
import type { OwnDatabase } from './own-database.ts';
import type { Stage } from './stage.ts';

type StrikeTarget = {
  readonly stage: Stage;
  readonly database: OwnDatabase;
  /** What an operator may not expect of a server. */
  readonly complaints: string[];
  readonly startServer: () => Promise<unknown>;
};

/** Those that wait for a point in a server, an append or a call to Square. */
export async function prepare({ stage }: Pick<StrikeTarget, 'stage'>, disaster: Disaster): Promise<void> {
  const { servers, simulator, proxy } = stage;
  if (disaster.kind === 'square') simulator.setFault(disaster.fault);
  if (disaster.kind === 'point') await servers()[disaster.server]?.arm(disaster.point, disaster.act);
  if (disaster.kind === 'break') proxy.breakAtAppend(disaster.event, disaster.at);
}

/** @returns when the disaster was over; undefined when it waits for an event. */
export async function strike(target: StrikeTarget, disaster: Disaster): Promise<number | undefined> {
  if (!('atMs' in disaster)) return undefined;
  await setTimeout(disaster.atMs);
  await begin(target, disaster);
  return Date.now();
}

async function begin(target: StrikeTarget, disaster: Extract<Disaster, { readonly atMs: number }>): Promise<void> {
  const { stage, database } = target;
  switch (disaster.kind) {
    case 'kill':
      return stage.servers()[disaster.server]?.kill();
    case 'cut':
      return stage.proxy.cut();
    case 'terminate':
      return terminateServerSessions(stage.ownerSql).catch(() => undefined);
    case 'crash':
      return database.crash();
    case 'outage':
      stage.proxy.block();
      await setTimeout(disaster.forMs);
      return stage.proxy.restore();
    case 'forge':
      return forge(stage);
    case 'replay':
      return replay(stage);
    case 'clock':
      return stepClock(stage, disaster);
    case 'restore':
      return restore(stage, database);
    case 'replace servers':
      return replaceServers(target);
    default:
      return last(target, disaster);
  }
}

type Lasting = Extract<Disaster, { kind: 'freeze' | 'silence' | 'crowd' | 'revoked' | 'storm' | 'full' | 'mail' }>;

async function last({ stage, database }: Pick<StrikeTarget, 'stage' | 'database'>, disaster: Lasting): Promise<void> {
  const { forMs } = disaster;
  switch (disaster.kind) {
    case 'freeze': {
      const thaw = disaster.who === 'database' ? await database.freeze() : freezeServer(stage, disaster.who);
      await setTimeout(forMs);
      return thaw();
    }
    case 'silence':
      stage.proxy.silence(disaster);
      await setTimeout(forMs);
      return stage.proxy.endSilence(disaster.ending);
    case 'crowd': {
      const release = occupyConnections({ databaseUrl: database.primaryUrl(), ownerSql: stage.ownerSql });
      await setTimeout(forMs);
      return release();
    }
    case 'revoked':
      stage.revokeToken();
      await setTimeout(forMs);
      return stage.restoreToken();
    case 'storm': {
      const end = beginStorm(stage.ownerSql, 200);
      await setTimeout(forMs);
      return end();
    }
    case 'mail':
      stage.mailbox.setFault(disaster.fault);
      await setTimeout(forMs);
      return stage.mailbox.setFault();
    case 'full':
      return database.fillDisk?.(disaster);
  }
}

function freezeServer({ servers }: Stage, number: number): () => void {
  const server = servers()[number];
  server?.freeze();
  return () => server?.thaw();
}

/** The restored database appears behind the servers' address. */
async function restore({ proxy, shapeDatabase }: Stage, database: OwnDatabase): Promise<void> {
  if (database.restore === undefined) return;
  proxy.hold();
  try {
    await database.restore(shapeDatabase);
  } finally {
    proxy.release();
  }
}

/** One after the other, as an update does. */
async function replaceServers({ stage, complaints, startServer }: StrikeTarget): Promise<void> {
  for (const old of stage.servers()) {
    // Another disaster may prevent the start: then the old server stays.
    if ((await startServer().catch(() => undefined)) === undefined) continue;
    const ending = old.stop();
    const inTime = await Promise.race([ending.then(() => true), setTimeout(stoppedWithinMs, false)]);
    if (!inTime && !old.isFrozen()) complaints.push(`a server did not end within ${stoppedWithinMs} ms of SIGTERM`);
    if (!inTime) await old.kill();
  }
}

const stoppedWithinMs = 15_000;

/** Retries while PostgreSQL is down. */
async function stepClock(
  { servers, stepDatabaseClock }: Stage,
  { who, secondsAhead }: Extract<Disaster, { kind: 'clock' }>,
): Promise<void> {
  if (who !== 'database') return servers()[who]?.setClock(secondsAhead);
  await repeatWhileAway(() => stepDatabaseClock(secondsAhead)).catch(() => undefined);
}

async function forge({ webhooks }: Stage): Promise<void> {
  const body = JSON.stringify({ event_id: crypto.randomUUID(), type: 'payment.updated', data: { id: 'forged' } });
  const signature = signWebhook({ url: webhooks.url, signatureKey: 'not the key', body });
  const answer = await fetch(webhooks.url, {
    method: 'POST',
    body,
    headers: { 'content-type': 'application/json', 'x-square-hmacsha256-signature': signature },
  }).catch(() => undefined);
  if (answer !== undefined && answer.status < 400) throw new Error('A forged webhook was accepted');
}

/** Square sends its last 20 events again, the newest first. */
async function replay({ square }: Stage): Promise<void> {
  const { events } = await square.events();
  const again = events.slice(-20).toReversed();
  for (const { event } of again) await square.redeliver(event.event_id);
}
