/** From now on `Date` is ahead by so many seconds. */
export function setClock(seconds: number): void {
  aheadMs = seconds * 1000;
  if (globalThis.Date === RealDate && seconds !== 0) globalThis.Date = wrongDate;
}

const RealDate = Date;
let aheadMs = 0;

const now = () => RealDate.now() + aheadMs;
const wrongDate = new Proxy(RealDate, {
  construct: (target, args: [] | [number]) => (args.length === 0 ? new target(now()) : new target(...args)),
  get: (target, name, receiver) => (name === 'now' ? now : (Reflect.get(target, name, receiver) as unknown)),
});
