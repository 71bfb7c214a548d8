import { foreignEvents } from './foreign.ts';
import { hostileDelivery, hostileEvent } from './hostile.ts';
import type { Change, OutboxEntry } from './state.ts';
import { signWebhook } from './webhook-signature.ts';
import type { WireEvent } from './wire.ts';
import type { World } from './world.ts';

export type Webhook = { readonly url: string; readonly signatureKey: string };

export type Delivery = {
  readonly eventId: string;
  readonly type: string;
  readonly at: string;
  readonly answer: string;
};

export type Outbox = ReturnType<typeof startOutbox>;

/** Square's gaps, in minutes. After the last one the event is dropped. */
const retryGapMinutes = [1, 2, 4, 8, 16, 32, 60, 120, 240, 480, 480] as const;
const answerWithinMs = 10_000;
const keepTryingMs = 24 * 60 * 60 * 1000;
const reorderAtMostMs = 500;

type Attempt = {
  readonly event: WireEvent;
  readonly retry: number;
  readonly reason?: string;
  readonly badSignature?: boolean;
};

type Sending = {
  readonly world: World;
  readonly deliveries: Delivery[];
  readonly timers: Set<NodeJS.Timeout>;
  readonly stopped: AbortController;
  /** Held until the next one has been sent. */
  readonly overtaken: Attempt[];
  webhook: Webhook | undefined;
};

/** At least once, in no fixed order. Unsent events survive a restart. */
export function startOutbox(world: World, webhook: Webhook | undefined) {
  const stopped = new AbortController();
  const sending: Sending = { world, deliveries: [], timers: new Set(), stopped, overtaken: [], webhook };
  world.store.onCommit((changes) => {
    for (const event of newEvents(changes)) announce(sending, event);
  });
  const announceWaiting = () => {
    for (const { event, state } of world.store.state.outbox.values()) if (state === 'waiting') announce(sending, event);
  };
  const subscribe = (next: Webhook | undefined) => {
    sending.webhook = next;
    announceWaiting();
    if (world.settings.hostile) for (const event of foreignEvents(world)) announce(sending, event);
  };
  subscribe(webhook);
  return {
    /** Waiting events are sent first. */
    subscribe: (next: Webhook) => subscribe(next),
    /** In any state. */
    redeliver: (eventId: string) => {
      const entry = world.store.state.outbox.get(eventId);
      if (entry !== undefined) void send(sending, { event: entry.event, retry: 0 });
      return entry !== undefined;
    },
    deliveries: (): readonly Delivery[] => sending.deliveries,
    forget: () => forget(sending),
    stop: () => {
      stopped.abort();
      forget(sending);
    },
  };
}

function forget({ timers, overtaken, deliveries }: Sending): void {
  for (const timer of timers) clearTimeout(timer);
  for (const list of [overtaken, deliveries]) list.splice(0);
}

function newEvents(changes: readonly Change[]): readonly WireEvent[] {
  return changes.flatMap((change) => (change.type === 'event' ? [change.event] : []));
}

/** For the first time, or with a fault. */
function announce(sending: Sending, event: WireEvent): void {
  // Without a subscriber the event waits in the stored state.
  if (sending.webhook === undefined) return;
  if (isStale(sending, event)) {
    settle(sending, event, 'dropped');
    return;
  }
  const { settings, faults } = sending.world;
  const fault = faults.takeForEvent(event.type) ?? (settings.hostile ? hostileDelivery(event) : undefined);
  const attempt = { event, retry: 0, badSignature: fault?.kind === 'webhook-bad-signature' };
  const sendOnce = async () => {
    await send(sending, attempt);
    releaseOvertaken(sending);
  };
  const { webhookDelayMs } = settings;
  switch (fault?.kind) {
    case 'webhook-drop':
      settle(sending, event, 'dropped');
      break;
    case 'webhook-reorder':
      sending.overtaken.push(attempt);
      after(sending, reorderAtMostMs, () => releaseOvertaken(sending));
      break;
    case 'webhook-delay':
      after(sending, fault.ms, sendOnce);
      break;
    case 'webhook-duplicate':
      after(sending, webhookDelayMs, () => Promise.all([sendOnce(), sendOnce()]));
      break;
    default:
      after(sending, webhookDelayMs, sendOnce);
  }
}

/** Square retries for a day. Otherwise a new subscriber would get the whole past. */
function isStale({ world }: Sending, event: WireEvent): boolean {
  return world.clock.now().getTime() - Date.parse(event.created_at) > keepTryingMs;
}

function releaseOvertaken(sending: Sending): void {
  for (const attempt of sending.overtaken.splice(0)) void send(sending, attempt);
}

async function send(sending: Sending, attempt: Attempt): Promise<void> {
  const { event } = attempt;
  if (sending.webhook === undefined) return;
  const body = JSON.stringify(sending.world.settings.hostile ? hostileEvent(event) : event);
  const answer = await post(sending.webhook, { ...attempt, body }, sending.stopped.signal);
  if (sending.stopped.signal.aborted) return;
  const at = sending.world.clock.now().toISOString();
  sending.deliveries.push({ eventId: event.event_id, type: event.type, at, answer });
  if (/^2\d\d$/.test(answer)) return settle(sending, event, 'delivered');
  const gapMinutes = retryGapMinutes[attempt.retry];
  if (gapMinutes === undefined) return settle(sending, event, 'dropped');
  const reason = /^\d+$/.test(answer) ? 'http_error' : answer;
  const next = { event, retry: attempt.retry + 1, reason };
  after(sending, gapMinutes * 60_000 * sending.world.settings.webhookRetryScale, () => send(sending, next));
}

/** @returns the HTTP status, or Square's name of the failure. A redirect is a failure too. */
async function post(
  webhook: Webhook,
  attempt: Attempt & { readonly body: string },
  stopped: AbortSignal,
): Promise<string> {
  const { event, retry, reason, body } = attempt;
  const deadline = AbortSignal.timeout(answerWithinMs);
  try {
    const response = await fetch(webhook.url, {
      method: 'POST',
      body,
      redirect: 'manual',
      signal: AbortSignal.any([deadline, stopped]),
      headers: {
        'content-type': 'application/json',
        'square-environment': 'Sandbox',
        'square-initial-delivery-timestamp': event.created_at,
        'x-square-hmacsha256-signature': attempt.badSignature ? 'Zm9yZ2Vk' : signWebhook({ ...webhook, body }),
        ...(retry === 0
          ? {}
          : { 'square-retry-number': String(retry), 'square-retry-reason': reason ?? 'other_error' }),
      },
    });
    await response.arrayBuffer();
    return String(response.status);
  } catch {
    return deadline.aborted ? 'http_timeout' : 'other_error';
  }
}

function settle(sending: Sending, event: WireEvent, state: OutboxEntry['state']): void {
  // The event is unknown after a reset. A redelivery does not change a settled event.
  if (sending.world.store.state.outbox.get(event.event_id)?.state !== 'waiting') return;
  sending.world.store.commit([{ type: 'event-settled', eventId: event.event_id, state }]);
}

function after(sending: Sending, ms: number, act: () => unknown): void {
  const timer = setTimeout(() => {
    sending.timers.delete(timer);
    void act();
  }, ms).unref();
  sending.timers.add(timer);
}
