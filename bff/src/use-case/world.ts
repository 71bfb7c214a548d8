import type { Sql } from '../database/database.ts';
import type { Logger } from '../runtime/logger.ts';
import type { CardProcessor } from '../square/card-processor.ts';

/**
 * All effects. Use cases, background work and queries get them as a parameter; `main.ts` composes
 * them.
 */
export type World = {
  readonly sql: Sql;
  readonly card: CardProcessor;
  readonly log: Logger;
  readonly now: () => Date;
};
