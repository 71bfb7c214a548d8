import { limitHeapGrowth } from '../core/runtime/heap-growth.ts';
import { createLogger, type Logger } from '../core/runtime/logger.ts';
import { createShutdown, type Shutdown } from '../core/runtime/shutdown.ts';
import { type Environment, parseEnvironment } from './env.ts';

/** Reads the environment, starts the server, and stops it on a signal. A start that fails says why. */
export async function run(
  start: (environment: Environment, log: Logger, shutdown: Shutdown) => Promise<void>,
): Promise<void> {
  limitHeapGrowth();
  const parsed = parseEnvironment(process.env);
  if (!parsed.ok) {
    process.stderr.write(`Kilim cannot start:\n${parsed.rejection.map((problem) => `- ${problem}\n`).join('')}`);
    process.exitCode = 1;
    return;
  }
  const environment = parsed.value;
  const log = createLogger({ level: environment.logging.level });
  const shutdown = createShutdown(log);
  stopOnSignal(log, shutdown);
  try {
    await start(environment, log, shutdown);
  } catch (error) {
    // A stop during the start closes resources that the start needs, so its error is expected.
    if (shutdown.isStopping()) return;
    process.stderr.write(`Kilim cannot start: ${error instanceof Error ? error.message : 'for an unknown reason'}\n`);
    log.fatal({ err: error }, 'the start failed');
    await shutdown.stop(1);
  }
}

/**
 * The first signal stops the server gracefully; later ones change nothing. A terminal signals every
 * process in it, and npm forwards the same signal again.
 */
function stopOnSignal(log: Logger, shutdown: Shutdown): void {
  for (const signal of ['SIGTERM', 'SIGINT'] as const) {
    process.on(signal, () => {
      if (!shutdown.isStopping()) log.info({ signal }, 'the server is stopping');
      void shutdown.stop(0);
    });
  }
}
