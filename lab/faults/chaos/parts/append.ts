import type { Sql } from '../../../../bff/src/core/database/database.ts';
import { type Append, type AppendResult, append as realAppend } from '../../../../bff/src/core/ledger/append.ts';
import type { OrderStream } from '../../../../bff/src/core/ledger/read.ts';
import { passing } from '../inside.ts';

export * from '../../../../bff/src/core/ledger/append.ts';

/** With a fault point on either side. A lost append looks like a broken connection. */
export async function append(sql: Sql, stream: OrderStream, command: Append): Promise<AppendResult> {
  const last = command.events.at(-1)?.type;
  if (last === undefined) throw new Error('An append without events');
  if (await passing(`before append ${last}`)) throw connectionLost();
  const result = await realAppend(sql, stream, command);
  if (result.outcome === 'appended' && (await passing(`after append ${last}`))) throw connectionLost();
  return result;
}

function connectionLost(): Error {
  return Object.assign(new Error('The connection was lost'), { code: 'CONNECTION_CLOSED' });
}
