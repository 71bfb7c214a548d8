import { setFlagsFromString } from 'node:v8';

/**
 * Lets V8 collect garbage when the heap and its buffers have grown by 10 % since the last
 * collection. By default, on a machine with much memory, V8 lets both grow to several times that
 * size and keeps it. See docs/topics/running-and-tests.md.
 */
export function limitHeapGrowth(): void {
  setFlagsFromString('--heap-growing-percent=10');
  // Otherwise buffers count only when they exceed 64 MB.
  setFlagsFromString('--external-memory-accounted-in-global-limit');
}
