import { monitorEventLoopDelay, PerformanceObserver } from 'node:perf_hooks';

// Loaded into a server under test. Answers each message `event loop` with the delays since the last one.

/** The event loop took no turn, in milliseconds. */
export type Stall = {
  readonly ms: number;
  /** Of the main thread. Less than `ms`: the machine ran something else. */
  readonly cpuMs: number;
  /** By the clock. */
  readonly gcMs: number;
};

export type EventLoop = {
  /** By Node's histogram, in milliseconds. */
  readonly longestMs: number;
  readonly p999Ms: number;
  /** The main thread's CPU time between two turns. */
  readonly longestComputingMs: number;
  readonly stalls: readonly Stall[];
};

export const stallMs = 50;

const everyMs = 2;
const delays = monitorEventLoopDelay({ resolution: everyMs });
delays.enable();

let collections: { readonly start: number; readonly end: number }[] = [];
const observer = new PerformanceObserver((list) => {
  for (const { startTime, duration } of list.getEntries()) {
    collections.push({ start: startTime, end: startTime + duration });
  }
});
observer.observe({ type: 'gc' });

let stalls: { readonly start: number; readonly end: number; readonly cpuMs: number }[] = [];
let longestComputingMs = 0;
let [lastTurn, lastCpuMs] = [performance.now(), cpuMsOfThread()];
setInterval(() => {
  const [turn, cpuMs] = [performance.now(), cpuMsOfThread()];
  if (turn - lastTurn > stallMs) stalls.push({ start: lastTurn, end: turn, cpuMs: cpuMs - lastCpuMs });
  longestComputingMs = Math.max(longestComputingMs, cpuMs - lastCpuMs);
  [lastTurn, lastCpuMs] = [turn, cpuMs];
}, everyMs).unref();

function cpuMsOfThread(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1000;
}

function gcMsWithin(from: number, to: number): number {
  return collections.reduce((sum, { start, end }) => sum + Math.max(0, Math.min(end, to) - Math.max(start, from)), 0);
}

process.on('message', (message) => {
  if (message !== 'event loop') return;
  // The observer hears of a collection one turn later, and the interval of a stall one turn earlier.
  setTimeout(() => {
    const eventLoop: EventLoop = {
      longestMs: Math.max(0, delays.max / 1e6 - everyMs),
      p999Ms: Math.max(0, delays.percentile(99.9) / 1e6 - everyMs),
      longestComputingMs,
      stalls: stalls.map(({ start, end, cpuMs }) => ({ ms: end - start, cpuMs, gcMs: gcMsWithin(start, end) })),
    };
    [stalls, collections, longestComputingMs] = [[], [], 0];
    delays.reset();
    // After a reset, the histogram measures from its next turn.
    setTimeout(() => process.send?.({ eventLoop }), 2 * everyMs);
  }, 2 * everyMs);
});
// The message channel must not keep the server alive.
process.channel?.unref();
