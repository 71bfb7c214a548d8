import { setTimeout } from 'node:timers/promises';
import { dayIn } from '../../bff/src/core/runtime/day-in.ts';

/** The shop's day must not end between two figures that are compared. */
export async function keepClearOfMidnight(): Promise<void> {
  const dayAt = (ms: number) => dayIn('America/Los_Angeles', new Date(ms));
  while (dayAt(Date.now()) !== dayAt(Date.now() + 20_000)) await setTimeout(500);
}
