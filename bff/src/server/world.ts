import type { Sql } from '../database/database.ts';
import type { CardProcessor } from '../square/card-processor.ts';
import type { Logger } from './logger.ts';

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
