import type { Fragment, PendingQuery, Row } from 'postgres';
import type { Sql, Transaction } from '../database/database.ts';

export type SqlPart = Fragment | PendingQuery<Row[]>;

/** What else one append does: in the same statement, so it happens with the events or not at all. */
export type Rider = {
  /** A boolean that PostgreSQL evaluates first. False: a conflict. An error: the append throws it. */
  readonly condition?: (sql: Sql | Transaction) => SqlPart;
  /** Writes rows after the events, and is true. */
  readonly rows?: (sql: Sql | Transaction) => SqlPart;
};

/** @param appending the call of the append function, true when the events were written */
export function withRiders(sql: Sql | Transaction, riders: readonly Rider[], appending: SqlPart): SqlPart {
  return riders.reduce<SqlPart>((inner, { condition, rows }) => {
    const appended = rows === undefined ? inner : sql`case when ${inner} then ${rows(sql)} else false end`;
    // PostgreSQL evaluates the condition of a `case` before its result.
    return condition === undefined ? appended : sql`case when ${condition(sql)} then ${appended} else false end`;
  }, appending);
}
