import { expect } from 'vitest';
import type { Sql } from '../../bff/src/core/database/database.ts';
import type { SimulatorClient } from '../square/simulator-client.ts';
import { type Told, violations } from './violations.ts';

export async function expectInvariants(
  ownerSql: Sql,
  square: SimulatorClient,
  told: readonly Told[] = [],
): Promise<void> {
  expect(await violations(ownerSql, square, told)).toEqual([]);
}
