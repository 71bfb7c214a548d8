import type { Sql } from '../database/database.ts';
import type { Logger } from '../runtime/logger.ts';
import type { CardProcessor } from '../square/card-processor.ts';

/** Use cases, background work and queries get the world as a parameter; `main.ts` composes it. */
export type World = {
  readonly sql: Sql;
  readonly card: CardProcessor;
  readonly log: Logger;
  readonly now: () => Date;
};
