import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import fc from 'fast-check';
import { connect } from '../../bff/src/core/database/database.ts';
import { describeApi } from '../../bff/src/start/api-page/open-api.ts';
import { sealAsServer } from '../testing/age-session.ts';
import { type ChildServer, startChildServer } from '../testing/child-server.ts';
import { isHostile } from '../testing/only-ours.ts';
import type { EventLoop, Stall } from './event-loop.ts';
import { openParticipants, ownerPassword, type Participants } from './participants.ts';
import { type FuzzedRequest, type Route, requestsTo } from './requests.ts';
import { type RawAnswer, sendBytes } from './send-bytes.ts';
import type { Schema } from './values.ts';

export type FuzzOptions = {
  /** Empty and migrated, as its owner. */
  readonly databaseUrl: string;
  readonly dataDir: string;
  readonly requests: number;
  readonly seed: number;
  /** Looking at the event loop costs a third of the speed. */
  readonly timing: boolean;
  readonly say: (line: string) => void;
};

export type Fuzzed = {
  readonly violations: readonly string[];
  /** By status; `cut`: the connection was closed without an answer. */
  readonly statuses: Readonly<Record<string, number>>;
  readonly routes: number;
  /** Without those of background work. */
  readonly errorsInLog: readonly string[];
  readonly timing?: Timing;
};

export type Timing = {
  readonly longestMs: number;
  /** Of the main thread, between two turns of the event loop. */
  readonly longestComputingMs: number;
  /** What the machine adds. */
  readonly longestOfIdleServerMs: number;
  readonly longestCollectionMs: number;
  /** A stall came from computing, so its requests were repeated one by one. */
  readonly repeatedBatches: number;
  /** No single request repeated this stall. */
  readonly longestUnrepeatedMs: number;
};

/** All other customers wait that long. */
const mostBlockingMs = 50;
const batchSize = 60;
const concurrent = 4;
const eventLoopModule = fileURLToPath(new URL('./event-loop.ts', import.meta.url));

/** The same seed sends the same requests. */
export async function fuzz(options: FuzzOptions): Promise<Fuzzed> {
  const { databaseUrl, timing } = options;
  const server = await startServer(options);
  const idle = timing ? await startServer({ ...options, dataDir: `${options.dataDir}/idle` }) : undefined;
  const sql = connect({ url: databaseUrl, max: 1, applicationName: 'kilim fuzz' });
  try {
    // People who are made later need the key of the server.
    await sealAsServer(sql, options.dataDir);
    const participants = await openParticipants(server, sql);
    const { paths, components } = await describeApi();
    const routes = routesOf(paths);
    const { schemas } = components as { readonly schemas: Readonly<Record<string, Schema>> };
    const anyRequest = requestsTo(routes, { schemas, known: participants.known });
    const run = { ...options, server, idle, participants, anyRequest };
    const fuzzed = await sendAll(run);
    const errorsInLog = server.output().split('\n').filter(isErrorOfRequest);
    return { ...fuzzed, routes: routes.length, errorsInLog };
  } finally {
    await sql.end({ timeout: 1 });
    await Promise.all([server.stop(), idle?.stop()]);
  }
}

/** Background work may have to try again; that concerns no request. */
function isErrorOfRequest(line: string): boolean {
  if (line.includes('"msg":"polling for')) return false;
  // The local Square's own webhooks may come faster than they can be stored: it repeats them.
  const isWebhook = /Square will repeat it|"route":"\/api\/webhooks\/square","status":503/.test(line);
  return /"level":"(error|fatal)"/.test(line) && !(isHostile && isWebhook);
}

function startServer({ databaseUrl, dataDir, timing }: FuzzOptions): Promise<ChildServer> {
  const variables = {
    DATABASE_URL: databaseUrl,
    DATA_DIR: dataDir,
    ADMIN_PASSWORD: ownerPassword,
    METRICS_TOKEN: 'a-token-for-metrics',
    DEMO_PARENT_PORT: '0',
    // Refused requests would test only the limits.
    THROTTLE_FACTOR: '1000000',
    DECLINES_PER_HOUR: '10000',
  };
  return startChildServer(variables, timing ? { loaders: [eventLoopModule] } : {});
}

type DescribedCall = {
  readonly requestBody?: { readonly content: Readonly<Record<string, { readonly schema: Schema }>> };
  readonly parameters: Route['parameters'];
};

function routesOf(paths: Awaited<ReturnType<typeof describeApi>>['paths']): readonly Route[] {
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => {
      const { requestBody, parameters } = operation as unknown as DescribedCall;
      const [mediaType, content] = Object.entries(requestBody?.content ?? {})[0] ?? [];
      return { method: method.toUpperCase(), path, parameters, mediaType, body: content?.schema };
    }),
  );
}

type Run = FuzzOptions & {
  readonly server: ChildServer;
  readonly idle: ChildServer | undefined;
  readonly participants: Participants;
  readonly anyRequest: fc.Arbitrary<FuzzedRequest>;
};

async function sendAll(run: Run): Promise<Pick<Fuzzed, 'violations' | 'statuses' | 'timing'>> {
  const { requests: most, seed, say, server, idle } = run;
  const violations: string[] = [];
  const statuses: Record<string, number> = {};
  const timing = {
    longestMs: 0,
    longestComputingMs: 0,
    longestOfIdleServerMs: 0,
    longestCollectionMs: 0,
    repeatedBatches: 0,
    longestUnrepeatedMs: 0,
  };
  if (run.timing) await warmUp(run);
  for (let sent = 0; sent < most; sent += batchSize) {
    const batch = fc.sample(run.anyRequest, { seed: seed + sent, numRuns: Math.min(batchSize, most - sent) });
    await inParallel(batch, async (request) => {
      const answer = await ask(run, request);
      const status = answer === undefined ? 'hangs' : String(answer.status ?? 'cut');
      statuses[status] = (statuses[status] ?? 0) + 1;
      violations.push(...violationsOf(request, answer));
    });
    if (run.timing) {
      const { longestMs, longestComputingMs, stalls } = await eventLoopOf(server);
      timing.longestComputingMs = Math.max(timing.longestComputingMs, longestComputingMs);
      timing.longestMs = Math.max(timing.longestMs, longestMs);
      timing.longestOfIdleServerMs = Math.max(
        timing.longestOfIdleServerMs,
        idle ? (await eventLoopOf(idle)).longestMs : 0,
      );
      timing.longestCollectionMs = Math.max(timing.longestCollectionMs, ...stalls.map(({ gcMs }) => gcMs));
      if (stalls.some(isBlocking)) {
        timing.repeatedBatches += 1;
        const blocking = await findBlocking(run, batch);
        violations.push(...blocking);
        for (const line of blocking) say(line);
        const longest = Math.max(...stalls.map(({ cpuMs }) => cpuMs));
        if (blocking.length === 0) timing.longestUnrepeatedMs = Math.max(timing.longestUnrepeatedMs, longest);
        const collected = Math.round(Math.max(...stalls.map(({ gcMs }) => gcMs)));
        say(
          `${Math.round(longest)} ms of computing near request ${sent}, garbage collected for ${collected} ms; ${blocking.length} requests repeat it.`,
        );
      }
    }
    if (sent % 3_000 === 0) say(`${sent} requests: ${JSON.stringify(statuses)}`);
  }
  return { violations, statuses, ...(run.timing ? { timing } : {}) };
}

/** The first requests compile code and load modules. */
async function warmUp(run: Run): Promise<void> {
  await inParallel(fc.sample(run.anyRequest, { seed: run.seed - 1, numRuns: 1_500 }), async (request) => {
    await ask(run, request);
  });
  await eventLoopOf(run.server);
  if (run.idle !== undefined) await eventLoopOf(run.idle);
}

async function inParallel<Item>(items: readonly Item[], work: (item: Item) => Promise<void>): Promise<void> {
  const waiting = items.values();
  const worker = async () => {
    for (const item of waiting) await work(item);
  };
  await Promise.all(Array.from({ length: concurrent }, worker));
}

async function ask({ server, participants }: Run, request: FuzzedRequest): Promise<RawAnswer | undefined> {
  const { sender, site, method, target, headers, body } = request;
  const url = site === 'shop' ? server.url : server.officeUrl;
  const host: readonly (readonly [string, string])[] = headers.some(([name]) => name === 'host')
    ? []
    : [['host', new URL(url).host]];
  const identity = await participants.headersOf(sender);
  const answer = await sendBytes(url, { method, target, body, headers: [...host, ...identity, ...headers] });
  const changed = /"code":"(NotSignedIn|NotPermitted|ReauthenticationRequired|PasswordChangeRequired)"/;
  if (answer !== undefined && (changed.test(answer.text) || /\/(logout|sessions)/.test(target))) {
    participants.doubt(sender);
  }
  return answer;
}

const stackTrace =
  /\n\s+at [\w.<>[\] ]+ ?\(|node:internal|node_modules\/|\.ts:\d+:\d+|PostgresError|syntax error at or near/;

function violationsOf(request: FuzzedRequest, answer: RawAnswer | undefined): readonly string[] {
  if (answer === undefined) return [`No answer after 20 seconds: ${describe(request)}`];
  const found: string[] = [];
  if (answer.status !== undefined && answer.status >= 500) found.push(`Answer ${answer.status}: ${describe(request)}`);
  if (stackTrace.test(answer.text)) found.push(`Internals in an answer ${answer.status}: ${describe(request)}`);
  return found;
}

function describe({ sender, site, method, target, headers, body }: FuzzedRequest): string {
  const shown = `${method} ${target.slice(0, 300)} at the ${site} by ${sender}, ${JSON.stringify(headers).slice(0, 300)}`;
  return body === undefined ? shown : `${shown}, ${body.length} bytes: ${body.toString('utf8').slice(0, 600)}`;
}

async function eventLoopOf({ process: child }: ChildServer): Promise<EventLoop> {
  child.send('event loop');
  const [{ eventLoop }] = (await once(child, 'message')) as [{ eventLoop: EventLoop }];
  return eventLoop;
}

/** CPU time tells computing from waiting for a busy processor. It includes collections. */
function isBlocking({ cpuMs }: Stall): boolean {
  return cpuMs > mostBlockingMs;
}

/** One by one: a request that blocks does so again, at least in two of three tries. */
async function findBlocking(run: Run, batch: readonly FuzzedRequest[]): Promise<readonly string[]> {
  const found: string[] = [];
  for (const request of batch) {
    const tries: number[] = [];
    for (let count = 0; count < 3; count += 1) {
      await eventLoopOf(run.server);
      await ask(run, request);
      const { stalls } = await eventLoopOf(run.server);
      tries.push(Math.max(0, ...stalls.map(({ cpuMs }) => cpuMs)));
      if (count === 0 && !stalls.some(isBlocking)) break;
    }
    if (tries.filter((ms) => ms > mostBlockingMs).length >= 2) {
      found.push(`Blocked the event loop for ${tries.map(Math.round).join(', ')} ms: ${describe(request)}`);
    }
  }
  return found;
}
