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
  // The default of 10 ms wakes an idle server a hundred times a second. The alert is about half a second.
  if (ofProcess) collectDefaultMetrics({ register: registry, eventLoopMonitoringPrecision: 100 });
  const registers = [registry];
  const meters = metersIn(registers);
  const { gauge, counter } = meters;
  const metrics: Metrics = {
    registry,
    answers: new Histogram({
      name: 'kilim_http_answer_seconds',
      help: 'Time from request to answer, by route pattern',
      labelNames: ['method', 'route', 'status'],
      buckets: [0.005, 0.025, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 25],
      registers,
    }),
    payments: counter('kilim_payments_total', 'Requests to pay, by the answer to the customer', 'outcome'),
    squareCalls: new Histogram({
      name: 'kilim_square_call_seconds',
      help: 'Duration of calls to Square, by call and outcome',
      labelNames: ['verb', 'outcome'],
      buckets: [0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
      registers,
    }),
    squareRefused: gauge(
      'kilim_square_credentials_refused',
      'Whether Square rejected our access token at the last call',
    ),
    ...createHealthGauges(meters),
    webhooks: counter('kilim_webhooks_total', "Square's webhooks, by how they were handled", 'outcome'),
    throttled: counter('kilim_throttled_total', 'Requests that a rate limit refused, by limit', 'limit'),
    cspReports: counter(
      'kilim_csp_reports_total',
      "Browsers' reports of resources that the content security policy blocked, by directive",
      'directive',
    ),
    visits: createVisitHistograms(registers),
    backlog: createBacklogGauges(meters),
    jobs: createJobGauges(meters),
  };
  beginAtZero(metrics);
  return metrics;
}

type Meters = ReturnType<typeof metersIn>;

function metersIn(registers: Registry[]) {
  return {
    gauge: <Label extends string>(name: string, help: string, ...labelNames: Label[]) =>
      new Gauge({ name, help, labelNames, registers }),
    counter: <Label extends string>(name: string, help: string, ...labelNames: Label[]) =>
      new Counter({ name, help, labelNames, registers }),
  };
}

/** Prometheus sees no increase when a series first appears with 1, so what alerts count begins at 0. */
function beginAtZero({ payments, webhooks, throttled }: Metrics): void {
  payments.inc({ outcome: 'captured' }, 0);
  for (const outcome of ['kept', 'forged']) webhooks.inc({ outcome }, 0);
  throttled.inc({ limit: 'decline-shop' }, 0);
}

function createHealthGauges({ gauge }: Meters): Pick<Metrics, 'pollAgeSeconds' | 'clockOffSeconds'> {
  return {
    pollAgeSeconds: gauge(
      'kilim_background_poll_age_seconds',
      'Time since this process last polled for open effects and hints successfully',
    ),
    clockOffSeconds: gauge(
      'kilim_clock_off_seconds',
      "How far this process's clock is ahead of the database's; negative: behind",
    ),
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

function createJobGauges({ gauge }: Meters): JobGauges {
  return {
    ageSeconds: gauge('kilim_job_age_seconds', 'Time since a background job last succeeded on any server', 'name'),
    limitSeconds: gauge('kilim_job_limit_seconds', 'How long a background job may go without success', 'name'),
  };
}

function createBacklogGauges({ gauge }: Meters): BacklogGauges {
  return {
    databaseUp: gauge('kilim_database_up', 'Whether the database answered within a second'),
    databaseSeconds: gauge(
      'kilim_database_answer_seconds',
      'Duration of one statement, including the wait for a connection',
    ),
    effects: gauge(
      'kilim_effects',
      'Calls to Square that are still to be made (open) or wait for a person (parked)',
      'state',
    ),
    oldestEffectSeconds: gauge('kilim_oldest_effect_seconds', 'Age of the oldest effect, by state', 'state'),
    hints: gauge('kilim_unhandled_hints', "Square's webhooks that were not followed yet"),
    oldestHintSeconds: gauge(
      'kilim_oldest_unhandled_hint_seconds',
      'Age of the oldest webhook that was not followed yet',
    ),
    mails: gauge('kilim_mails', 'Mails that are still to be sent (open) or wait for a person (parked)', 'state'),
    oldestMailSeconds: gauge('kilim_oldest_mail_seconds', 'Time since the oldest mail became due, by state', 'state'),
  };
}
