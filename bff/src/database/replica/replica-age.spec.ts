import { expect, test } from 'vitest';
import { createReplicaAge, type PrimarySample, type ReplicaSample } from './replica-age.ts';

const primary = (askedAt: number, position: bigint, timeline = 1): PrimarySample => ({
  askedAt,
  position,
  cluster: 'kilim',
  timeline,
});
const replica = (position: bigint | null, more: Partial<ReplicaSample> = {}): ReplicaSample => ({
  isInRecovery: true,
  position,
  cluster: 'kilim',
  timeline: 1,
  ...more,
});

function measured(...samples: readonly PrimarySample[]) {
  const age = createReplicaAge(60_000);
  for (const sample of samples) age.addPrimary(sample);
  return age;
}

test('a replica has everything up to the newest position that it replayed', () => {
  const age = measured(primary(1000, 10n), primary(2000, 20n), primary(3000, 30n));
  expect(age.coveredUntil(replica(25n))).toBe(2000);
  expect(age.coveredUntil(replica(30n))).toBe(3000);
});

test('while the primary is idle, the replica stays current', () => {
  const age = measured(primary(1000, 10n), primary(2000, 10n), primary(9000, 10n));
  expect(age.coveredUntil(replica(10n))).toBe(9000);
});

test('a replica behind all samples, or without a position, covers nothing', () => {
  const age = measured(primary(1000, 10n));
  expect(age.coveredUntil(replica(9n))).toBe(Number.NEGATIVE_INFINITY);
  expect(age.coveredUntil(replica(null))).toBe(Number.NEGATIVE_INFINITY);
});

test('old samples are dropped', () => {
  const age = measured(primary(1000, 10n), primary(62_000, 20n));
  expect(age.coveredUntil(replica(15n))).toBe(Number.NEGATIVE_INFINITY);
});

test.each([
  ['not-a-replica', { isInRecovery: false }],
  ['other-cluster', { cluster: 'another' }],
  ['other-timeline', { timeline: 2 }],
] as const)('a server can be unfit: %s', (reason, state) => {
  expect(measured(primary(1000, 10n)).coveredUntil(replica(10n, state))).toBe(reason);
});

test('after a failover, positions of the old timeline count no more', () => {
  const age = measured(primary(1000, 50n), primary(2000, 40n, 2));
  // Position 50 may be a transaction that only the lost primary had.
  expect(age.coveredUntil(replica(50n))).toBe('other-timeline');
  expect(age.coveredUntil(replica(45n, { timeline: 2 }))).toBe(2000);
});
