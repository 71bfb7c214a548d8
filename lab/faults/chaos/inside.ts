import { once } from 'node:events';
import {
  type Act,
  type Changes,
  changesVariable,
  type FaultPoint,
  type NumberedOrder,
  type Report,
  usualChanges,
} from './points.ts';
import { setClock } from './skewed-clock.ts';

// Runs inside the server under test. Only the loader imports it.

const text = process.env[changesVariable];
export const changes: Changes = {
  ...usualChanges,
  ...(text === undefined ? {} : (JSON.parse(text) as Partial<Changes>)),
};

type Armed = { readonly act: Act; times: number };

const armed = new Map<FaultPoint, Armed>();
const released = new EventTarget();

process.on('message', (order: NumberedOrder) => {
  switch (order.type) {
    case 'arm':
      armed.set(order.point, { act: order.act, times: order.times });
      break;
    case 'disarm':
      armed.clear();
      break;
    case 'release':
      released.dispatchEvent(new Event('release'));
      break;
    case 'clock':
      setClock(order.secondsAhead);
      break;
  }
  tell({ type: 'obeyed', number: order.number });
});
// The message channel must not keep the server alive.
process.channel?.unref();

/** @returns whether the call is to be lost. */
export async function passing(point: FaultPoint): Promise<boolean> {
  const found = armed.get(point);
  if (found === undefined) return false;
  found.times -= 1;
  if (found.times <= 0) armed.delete(point);
  tell({ type: 'reached', point });
  if (found.act === 'lose') return true;
  if (found.act === 'die') {
    process.kill(process.pid, 'SIGKILL');
    await new Promise(() => undefined);
  }
  await once(released, 'release');
  return false;
}

function tell(report: Report): void {
  process.send?.(report);
}
