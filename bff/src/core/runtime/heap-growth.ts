import { setFlagsFromString } from 'node:v8';

/**
 * By default, on a machine with much memory, V8 lets the heap grow to several times its size. See
 * docs/topics/running-and-tests.md.
 */
export function limitHeapGrowth(): void {
  setFlagsFromString('--heap-growing-percent=10');
  // Otherwise buffers count only when they exceed 64 MB.
  setFlagsFromString('--external-memory-accounted-in-global-limit');
}
