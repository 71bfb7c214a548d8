import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';

/** Labels come from closed sets: never an id, address or personal data. */
export type Metrics = {
  readonly registry: Registry;
  readonly answers: Histogram<'method' | 'route' | 'status'>;
  readonly payments: Counter<'outcome'>;
  readonly squareCalls: Histogram<'verb' | 'outcome'>;
  readonly squareRefused: Gauge;
  /** Per process, in seconds. */
  readonly pollAgeSeconds: Gauge;
  /** Per process: how far its clock is ahead of the database's. */
  readonly clockOffSeconds: Gauge;
  readonly webhooks: Counter<'outcome'>;
  readonly throttled: Counter<'limit'>;
  readonly cspReports: Counter<'directive'>;
  readonly visits: VisitHistograms;
  readonly backlog: BacklogGauges;
  readonly jobs: JobGauges;
};

/** What browsers measured, by the page where a visit began and the device. */
export type VisitHistograms = Readonly<
  Record<'largestPaint' | 'interaction' | 'layoutShift', Histogram<'page' | 'device'>>
>;

/** Every process reports the same: use the maximum. */
export type BacklogGauges = {
  readonly databaseUp: Gauge;
  readonly databaseSeconds: Gauge;
  readonly effects: Gauge<'state'>;
  readonly oldestEffectSeconds: Gauge<'state'>;
  readonly hints: Gauge;
  readonly oldestHintSeconds: Gauge;
  readonly mails: Gauge<'state'>;
  readonly oldestMailSeconds: Gauge<'state'>;
};

/** Not `job`, a label of Prometheus itself. */
export type JobGauges = Readonly<Record<'ageSeconds' | 'limitSeconds', Gauge<'name'>>>;

export type MetricsOptions = {
  readonly ofProcess?: boolean;
};

export function createMetrics({ ofProcess = false }: MetricsOptions = {}): Metrics {
  const registry = new Registry();
  if (ofProcess) collectDefaultMetrics({ register: registry });
  const registers = [registry];
  const metrics: Metrics = {
    registry,
    answers: new Histogram({
      name: 'kilim_http_answer_seconds',
      help: 'Time from request to answer, by route pattern',
      labelNames: ['method', 'route', 'status'],
      buckets: [0.005, 0.025, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 25],
      registers,
    }),
    payments: new Counter({
      name: 'kilim_payments_total',
      help: 'Requests to pay, by the answer to the customer',
      labelNames: ['outcome'],
      registers,
    }),
    squareCalls: new Histogram({
      name: 'kilim_square_call_seconds',
      help: 'Duration of calls to Square, by call and outcome',
      labelNames: ['verb', 'outcome'],
      buckets: [0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
      registers,
    }),
    squareRefused: new Gauge({
      name: 'kilim_square_credentials_refused',
      help: 'Whether Square rejected our access token at the last call',
      registers,
    }),
    ...createHealthGauges(registers),
    webhooks: new Counter({
      name: 'kilim_webhooks_total',
      help: "Square's webhooks, by how they were handled",
      labelNames: ['outcome'],
      registers,
    }),
    throttled: new Counter({
      name: 'kilim_throttled_total',
      help: 'Requests that a rate limit refused, by limit',
      labelNames: ['limit'],
      registers,
    }),
    cspReports: new Counter({
      name: 'kilim_csp_reports_total',
      help: "Browsers' reports of resources that the content security policy blocked, by directive",
      labelNames: ['directive'],
      registers,
    }),
    visits: createVisitHistograms(registers),
    backlog: createBacklogGauges(registers),
    jobs: createJobGauges(registers),
  };
  beginAtZero(metrics);
  return metrics;
}

/** Prometheus sees no increase when a series first appears with 1, so what alerts count begins at 0. */
function beginAtZero({ payments, webhooks, throttled }: Metrics): void {
  payments.inc({ outcome: 'captured' }, 0);
  for (const outcome of ['kept', 'forged']) webhooks.inc({ outcome }, 0);
  throttled.inc({ limit: 'decline-shop' }, 0);
}

function createHealthGauges(registers: Registry[]): Pick<Metrics, 'pollAgeSeconds' | 'clockOffSeconds'> {
  return {
    pollAgeSeconds: new Gauge({
      name: 'kilim_background_poll_age_seconds',
      help: 'Time since this process last polled for open effects and hints successfully',
      registers,
    }),
    clockOffSeconds: new Gauge({
      name: 'kilim_clock_off_seconds',
      help: "How far this process's clock is ahead of the database's; negative: behind",
      registers,
    }),
  };
}

/** Finer below the limits of a good page: 2.5 seconds, 0.2 seconds, 0.1. */
function createVisitHistograms(registers: Registry[]): VisitHistograms {
  const shared = { labelNames: ['page', 'device'] as const, registers };
  return {
    largestPaint: new Histogram({
      name: 'kilim_visit_largest_paint_seconds',
      help: 'Largest contentful paint of real visits',
      buckets: [0.25, 0.5, 0.75, 1, 1.5, 2, 2.5, 3, 4, 6, 10],
      ...shared,
    }),
    interaction: new Histogram({
      name: 'kilim_visit_interaction_seconds',
      help: 'Interaction to next paint of real visits',
      buckets: [0.025, 0.05, 0.075, 0.1, 0.15, 0.2, 0.3, 0.5, 1, 2],
      ...shared,
    }),
    layoutShift: new Histogram({
      name: 'kilim_visit_layout_shift',
      help: 'Cumulative layout shift of real visits',
      buckets: [0.001, 0.01, 0.025, 0.05, 0.075, 0.1, 0.15, 0.25, 0.5, 1],
      ...shared,
    }),
  };
}

function createJobGauges(registers: Registry[]): JobGauges {
  const shared = { labelNames: ['name'] as const, registers };
  return {
    ageSeconds: new Gauge({
      name: 'kilim_job_age_seconds',
      help: 'Time since a background job last succeeded on any server',
      ...shared,
    }),
    limitSeconds: new Gauge({
      name: 'kilim_job_limit_seconds',
      help: 'How long a background job may go without success',
      ...shared,
    }),
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
      help: 'Duration of one statement, including the wait for a connection',
      registers,
    }),
    effects: new Gauge({
      name: 'kilim_effects',
      help: 'Calls to Square that are still to be made (open) or wait for a person (parked)',
      labelNames: ['state'],
      registers,
    }),
    oldestEffectSeconds: new Gauge({
      name: 'kilim_oldest_effect_seconds',
      help: 'Age of the oldest effect, by state',
      labelNames: ['state'],
      registers,
    }),
    hints: new Gauge({
      name: 'kilim_unhandled_hints',
      help: "Square's webhooks that were not followed yet",
      registers,
    }),
    oldestHintSeconds: new Gauge({
      name: 'kilim_oldest_unhandled_hint_seconds',
      help: 'Age of the oldest webhook that was not followed yet',
      registers,
    }),
    mails: new Gauge({
      name: 'kilim_mails',
      help: 'Mails that are still to be sent (open) or wait for a person (parked)',
      labelNames: ['state'],
      registers,
    }),
    oldestMailSeconds: new Gauge({
      name: 'kilim_oldest_mail_seconds',
      help: 'Time since the oldest mail became due, by state',
      labelNames: ['state'],
      registers,
    }),
  };
}
