/** Simulates a machine with a wrong clock: `Date` is ahead by so many seconds. */
export function putClockForward(seconds: number): void {
  if (seconds === 0) return;
  const RealDate = Date;
  const now = () => RealDate.now() + seconds * 1000;
  globalThis.Date = new Proxy(RealDate, {
    construct: (target, args: [] | [number]) => (args.length === 0 ? new target(now()) : new target(...args)),
    get: (target, name, receiver) => (name === 'now' ? now : (Reflect.get(target, name, receiver) as unknown)),
  });
}
