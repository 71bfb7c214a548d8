import { expect } from 'vitest';
import type { SimulatorClient } from '../square-simulator/simulator-client.ts';
import type { Sql } from '../src/database/database.ts';
import { type Told, violations } from './violations.ts';

/** Fails the test with the list of violated invariants. */
export async function expectInvariants(
  ownerSql: Sql,
  square: SimulatorClient,
  told: readonly Told[] = [],
): Promise<void> {
  expect(await violations(ownerSql, square, told)).toEqual([]);
}
