import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';

/** What this process counts and measures. Labels are closed sets of our own words: never an id, an address or anything of a customer's. */
export type Metrics = {
  readonly registry: Registry;
  readonly answers: Histogram<'method' | 'route' | 'status'>;
  readonly payments: Counter<'outcome'>;
  readonly squareCalls: Histogram<'verb' | 'outcome'>;
  /** 1 while Square refuses our access token. */
  readonly squareRefused: Gauge;
  /** Per process, in seconds. */
  readonly pollAgeSeconds: Gauge;
  readonly webhooks: Counter<'outcome'>;
  readonly throttled: Counter<'limit'>;
  readonly backlog: BacklogGauges;
};

/** What stands in the database, as read when somebody asks for the metrics. The same on every process: take the maximum. */
export type BacklogGauges = {
  readonly databaseUp: Gauge;
  readonly databaseSeconds: Gauge;
  readonly effects: Gauge<'state'>;
  readonly oldestEffectSeconds: Gauge<'state'>;
  readonly hints: Gauge;
  readonly oldestHintSeconds: Gauge;
};

export type MetricsOptions = {
  /** Memory, garbage collection, lag of the event loop: what Node tells of itself. */
  readonly ofProcess?: boolean;
};

export function createMetrics({ ofProcess = false }: MetricsOptions = {}): Metrics {
  const registry = new Registry();
  if (ofProcess) collectDefaultMetrics({ register: registry });
  const registers = [registry];
  return {
    registry,
    answers: new Histogram({
      name: 'kilim_http_answer_seconds',
      help: 'How long requests took to answer, by route pattern',
      labelNames: ['method', 'route', 'status'],
      buckets: [0.005, 0.025, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 25],
      registers,
    }),
    payments: new Counter({
      name: 'kilim_payments_total',
      help: 'Requests to pay, by what the customer was told',
      labelNames: ['outcome'],
      registers,
    }),
    squareCalls: new Histogram({
      name: 'kilim_square_call_seconds',
      help: 'How long Square took, by what was asked and what came of it',
      labelNames: ['verb', 'outcome'],
      buckets: [0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
      registers,
    }),
    squareRefused: new Gauge({
      name: 'kilim_square_credentials_refused',
      help: 'Whether Square refused our access token the last time that it answered',
      registers,
    }),
    pollAgeSeconds: new Gauge({
      name: 'kilim_background_poll_age_seconds',
      help: 'How long ago this process last looked for open effects and hints, with success',
      registers,
    }),
    webhooks: new Counter({
      name: 'kilim_webhooks_total',
      help: "Square's webhooks, by what became of them",
      labelNames: ['outcome'],
      registers,
    }),
    throttled: new Counter({
      name: 'kilim_throttled_total',
      help: 'Requests that were refused because there were too many, by the limit that they met',
      labelNames: ['limit'],
      registers,
    }),
    backlog: createBacklogGauges(registers),
  };
}

function createBacklogGauges(registers: Registry[]): BacklogGauges {
  return {
    databaseUp: new Gauge({
      name: 'kilim_database_up',
      help: 'Whether the database answered within a second',
      registers,
    }),
    databaseSeconds: new Gauge({
      name: 'kilim_database_answer_seconds',
      help: 'How long one statement took just now, waiting for a connection included',
      registers,
    }),
    effects: new Gauge({
      name: 'kilim_effects',
      help: 'What Square is still to be asked (open), or waits for a person (parked)',
      labelNames: ['state'],
      registers,
    }),
    oldestEffectSeconds: new Gauge({
      name: 'kilim_oldest_effect_seconds',
      help: 'For how long the oldest of them has been waiting',
      labelNames: ['state'],
      registers,
    }),
    hints: new Gauge({
      name: 'kilim_unhandled_hints',
      help: "Square's webhooks that nobody has followed yet",
      registers,
    }),
    oldestHintSeconds: new Gauge({
      name: 'kilim_oldest_unhandled_hint_seconds',
      help: 'For how long the oldest of them has been waiting',
      registers,
    }),
  };
}
