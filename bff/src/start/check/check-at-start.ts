import type { DatabasePlace } from '../../core/database/explain-database-error.ts';
import { type Check, type Diagnosis, sentenceOf } from '../../core/runtime/diagnosis.ts';
import type { World } from '../../core/use-case/world.ts';
import type { Environment } from '../env.ts';
import { judgeClock, sampleClock } from './check-clock.ts';
import { checkDataDir } from './check-disk.ts';
import { checkMail } from './check-mail.ts';
import { checkLocation } from './check-square.ts';
import { checkAddresses, checkSecrets, checkWebhookAddress } from './check-variables.ts';
import { checkPrivileges, readFacts } from './database-facts.ts';

export type StartedServer = {
  readonly environment: Environment;
  readonly variable: DatabasePlace['variable'];
  /** Of the optional rooms. */
  readonly checks: readonly Check[];
};

/**
 * Only logs: a server whose Square is away still shows prices and its back office. `openDatabase` checks what must stop
 * a start.
 */
export async function checkAtStart(world: World, started: StartedServer): Promise<void> {
  const { environment, variable } = started;
  const { sql } = world;
  const { production } = environment;
  const checks: readonly Check[] = [
    async () => [checkSecrets, checkAddresses, checkWebhookAddress].flatMap((check) => check(environment)),
    () => checkMail(environment),
    async () => (usesDataDir(environment) ? checkDataDir(environment.dataDir) : []),
    async () => checkPrivileges(await readFacts(sql), { variable, production }),
    async () => judgeClock(await sampleClock(sql)),
    () => checkSquare(world),
    ...started.checks,
  ];
  await Promise.all(checks.map((check) => tell(world, check)));
}

/** False in production. */
export function usesDataDir({ database, ledger, square }: Environment): boolean {
  return database.url === undefined || ledger.signingKey === undefined || square.ownSimulator !== undefined;
}

async function tell({ log }: World, check: Check): Promise<void> {
  try {
    for (const diagnosis of await check()) {
      const { level, variable } = diagnosis;
      if (level === 'error') log.error({ variable }, sentenceOf(diagnosis));
      else log.warn({ variable }, sentenceOf(diagnosis));
    }
  } catch (error) {
    // The server is stopping, or the database went away: other log lines say so.
    log.warn({ err: error }, 'a check at the start failed');
  }
}

/** Square may be away for a while, so silence is only a warning here. */
async function checkSquare({ card }: World): Promise<readonly Diagnosis[]> {
  const outcome = await card.getLocation();
  const isAway = outcome.kind === 'unknown' && outcome.refusedCredentials === undefined;
  return checkLocation(outcome).map((diagnosis) => (isAway ? { ...diagnosis, level: 'warning' } : diagnosis));
}
