import { parseOrderId } from '@kilim/domain/order/ids';
import { nextDays, windowsOn } from '@kilim/domain/pickup-plan';
import type { Settings } from '@kilim/domain/settings/settings';
import { repeatWhileAway } from '../../database/repeat-while-away.ts';
import { readFullPickupDays } from '../../queries/full-pickup-days.ts';
import { dayIn } from '../../runtime/day-in.ts';
import { type AgreePickupRejection, agreePickup, type PickupWorld } from '../../use-case/agree-pickup.ts';
import { answerProblem, type Problem } from '../problem.ts';
import type { Serve } from '../serve.ts';
import { orderNotFound } from './orders.ts';

type PickupOptions = PickupWorld & { readonly settings: () => Settings };

/** With today: a shop may agree in the morning to come in the evening. */
const offeredDays = 21;

export function servePickups(serve: Serve, { settings, ...world }: PickupOptions): void {
  serve('GET /api/admin/orders/:id/pickup-days', async (c, { params, answer }) => {
    const orderId = parseOrderId(params.id);
    if (orderId === undefined) return answerProblem(c, orderNotFound);
    const { pickupPlan } = settings();
    const days = nextDays(dayIn(world.timeZone, world.now()), offeredDays);
    const full = await repeatWhileAway(() => readFullPickupDays(world.sql, pickupPlan, { days, except: orderId }));
    const free = days.filter((day) => !full.includes(day) && windowsOn(pickupPlan, day).length > 0);
    return answer(200, { days: free.map((day) => ({ day, windows: [...windowsOn(pickupPlan, day)] })) });
  });
  serve('POST /api/admin/orders/:id/pickup', async (c, { by: { username: by }, params, body, answer }) => {
    const orderId = parseOrderId(params.id);
    if (orderId === undefined) return answerProblem(c, orderNotFound);
    const agreed = await agreePickup(world, { ...body, orderId, by, requestId: c.get('requestId') });
    return agreed.ok ? answer(204) : answerProblem(c, problemOf(agreed.rejection));
  });
}

function problemOf({ code }: AgreePickupRejection): Problem {
  if (code === 'UnknownOrder') return orderNotFound;
  const message = sentences[code];
  if (code === 'PastPickupDay') return { status: 422, code, message, fields: { day: message } };
  return { status: 409, code, message };
}

const sentences: Readonly<Record<Exclude<AgreePickupRejection['code'], 'UnknownOrder'>, string>> = {
  NotPickup: 'This customer brings the rugs. There is no pickup to agree on.',
  NotPaid: 'This order has not been paid, so there is no pickup to agree on.',
  FullyRefunded: 'This order has been fully refunded, so there is no pickup to agree on.',
  DisputeLost: 'The bank has given the money of this order back, so there is no pickup to agree on.',
  PastPickupDay: 'This day is over. Please choose another one.',
};
