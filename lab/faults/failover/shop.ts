import { setTimeout } from 'node:timers/promises';
import { simulatorDefaults } from '../../../bff/src/start/env-variables.ts';
import { connectSimulator, type SimulatorClient } from '../../square/simulator-client.ts';
import { startSimulator } from '../../square/start-simulator.ts';
import { type Administrator, refund, signIn } from '../chaos/administrator.ts';
import { buy } from '../chaos/buyer.ts';
import { type ChaosServer, startChaosServer } from '../chaos/chaos-server.ts';
import type { Shopping } from '../chaos/customer.ts';
import { personNumber } from '../chaos/people.ts';
import { adminPassword } from '../chaos/stage.ts';

/** Customers pay and get refunds without a pause. */
export type Shop = {
  readonly square: SimulatorClient;
  readonly told: Shopping['told'];
  /** Answers that must never be given, and customers who waited too long. */
  readonly complaints: readonly string[];
  /** When customers learned of their payments, in milliseconds. */
  readonly paidAt: readonly number[];
  readonly refunds: () => number;
  readonly servers: readonly ChaosServer[];
  readonly closeDoors: () => Promise<void>;
  readonly close: () => Promise<void>;
};

export type ShopOptions = { readonly databaseUrl: string; readonly servers: number; readonly customers: number };

/** Longer than any failover of these tests. */
const patienceMs = 90_000;

export async function openShop({ databaseUrl, servers: serversWanted, customers }: ShopOptions): Promise<Shop> {
  const simulator = await startSimulator({ ...simulatorDefaults, host: '127.0.0.1', port: 0, settings: square });
  const variables = {
    LOG_LEVEL: 'debug',
    DATABASE_URL: databaseUrl,
    SQUARE_BASE_URL: simulator.url,
    ADMIN_PASSWORD: adminPassword,
  };
  const servers: ChaosServer[] = [];
  for (let started = 0; started < serversWanted; started += 1) {
    servers.push(await startChaosServer(variables, asInProduction));
  }
  const shopping: Shopping = { servers: () => servers.filter((each) => each.isAlive()), told: [], answers: [] };
  const [first] = servers;
  if (first === undefined) throw new Error('A shop needs a server');
  const floor = {
    shopping,
    admin: await signIn(first),
    complaints: [],
    paidAt: [],
    refunds: 0,
    people: 0,
    isOpen: true,
  };
  const shoppers = Array.from({ length: customers }, () => shop(floor));
  return {
    square: connectSimulator(simulator.url),
    told: shopping.told,
    complaints: floor.complaints,
    paidAt: floor.paidAt,
    refunds: () => floor.refunds,
    servers,
    closeDoors: async () => {
      floor.isOpen = false;
      await Promise.all(shoppers);
    },
    close: async () => {
      floor.isOpen = false;
      await Promise.all(servers.map((server) => server.kill()));
      await simulator.close();
    },
  };
}

const asInProduction = { hurry: 1, squareTimeoutSeconds: 10 };

const square = { refundSettlesAfterMs: 300, approvesAfterMs: 300, webhookDelayMs: 5 };

type Floor = {
  readonly shopping: Shopping;
  readonly admin: Administrator;
  readonly complaints: string[];
  readonly paidAt: number[];
  refunds: number;
  people: number;
  isOpen: boolean;
};

/** One after the other; an unanswered request is repeated under its key. */
async function shop(floor: Floor): Promise<void> {
  const { shopping, admin, complaints } = floor;
  while (floor.isOpen) {
    floor.people += 1;
    const person = personNumber(floor.people);
    const leavesAt = Date.now() + patienceMs;
    const deadline = () => leavesAt;
    const plan = {
      startsAtMs: 0,
      cards: ['ok'],
      copies: 1 + (floor.people % 2),
      hangsUpAfterMs: undefined,
      refunds: [],
      measuring: undefined,
    };
    const paid = await buy({ stage: shopping, plan, person, complaints, deadline, times: {} });
    if (paid === undefined) {
      if (floor.isOpen) complaints.push(`customer ${floor.people} could not pay within ${patienceMs / 1000} s`);
      continue;
    }
    floor.paidAt.push(Date.now());
    if (floor.people % 3 === 0) {
      const isAnswered = await refund({ stage: shopping, admin, complaints, deadline }, paid, {
        // Hundreds of refunds stay within the limits of a day.
        percent: 1,
        clicks: 1,
      });
      if (isAnswered) floor.refunds += 1;
      else if (floor.isOpen) complaints.push(`a refund of ${paid.orderId} was not answered`);
    }
    await setTimeout(20);
  }
}
