import { newestMigration } from '../database/migrate.ts';
import { explainMisfit, type OwnSchema, readOwnRelease } from '../database/schema-range.ts';
import type { Closing } from '../runtime/shutdown.ts';
import type { World } from '../use-case/world.ts';
import type { Look } from './look.ts';
import { repeat } from './repeat.ts';

const everySeconds = 2;

/**
 * Notices a contracting migration or a restored backup under a running server.
 * @returns a function that answers with a sentence when this server cannot use the schema.
 */
export async function startWatchingSchema(
  { sql, log }: Pick<World, 'sql' | 'log'>,
  closing: Closing,
  { look, own }: { readonly look: Look; readonly own?: OwnSchema },
): Promise<() => string | undefined> {
  const server = own ?? { release: await readOwnRelease(), newestMigration: await newestMigration() };
  let misfit: string | undefined;
  let checked: string | undefined;
  const round = async () => {
    const seen = await look.now();
    if (seen !== undefined && seen.schema === checked) return 0;
    const found = await explainMisfit(sql, server);
    if (found !== undefined && misfit === undefined)
      log.fatal({ reason: found }, 'this server cannot use the schema of the database');
    if (found === undefined && misfit !== undefined) log.info('this server can use the schema of the database again');
    misfit = found;
    checked = seen?.schema;
    return 0;
  };
  closing(repeat(log, { what: 'the schema', everySeconds, round }).stop);
  return () => misfit;
}
