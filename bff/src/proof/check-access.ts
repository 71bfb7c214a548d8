import {
  type Access,
  type AccessChanged,
  type AccessPart,
  accessParts,
  differingParts,
} from '@kilim/domain/people/access';
import type { Sql, Transaction } from '../core/database/database.ts';
import { accessCodec, accessSchema, accessStream } from '../core/ledger/codecs/access.ts';

export type AccessFault =
  /** It was changed since its last event. */
  | { readonly code: 'AccessDiffers'; readonly username: string; readonly parts: readonly AccessPart[] }
  /** A command found it changed: the event's `before` is not the earlier event's `after`. */
  | {
      readonly code: 'AccessDiffered';
      readonly streamId: string;
      readonly version: number;
      readonly parts: readonly AccessPart[];
    }
  /** No event says that it was created. */
  | { readonly code: 'AccountUnexplained'; readonly username: string }
  /** Accounts are disabled, never deleted. */
  | { readonly code: 'AccountMissing'; readonly username: string };

export type CheckedAccess = { readonly faults: readonly AccessFault[] };

export type AccountHistory = {
  readonly username: string;
  /** Undefined: there is no such account. */
  readonly present: Access | undefined;
  readonly wasInvited: boolean;
  readonly changes: readonly { readonly version: number; readonly event: AccessChanged }[];
};

/** `undefined` when this login may not read accounts, or the database has the migrations of another release. */
export async function checkAccess(sql: Sql): Promise<CheckedAccess | undefined> {
  const [right] = await sql<{ may: boolean | null }[]>`
    select has_schema_privilege('admin', 'usage')
      and has_function_privilege(to_regprocedure('admin.list_access()'), 'execute') as may`;
  if (right?.may !== true) return undefined;
  const histories = await sql.begin('isolation level repeatable read read only', readHistories);
  return judge(histories);
}

export function judge(histories: readonly AccountHistory[]): CheckedAccess {
  const unexplained = histories.filter((history) => history.present !== undefined && !isExplained(history));
  return {
    faults: [
      ...histories.flatMap(judgeOne),
      ...unexplained.map(({ username }) => ({ code: 'AccountUnexplained', username }) as const),
    ],
  };
}

function isExplained({ wasInvited, changes }: AccountHistory): boolean {
  return wasInvited || changes[0]?.event.before === null;
}

function judgeOne({ username, present, changes }: AccountHistory): readonly AccessFault[] {
  const faults: AccessFault[] = [];
  let expected: Access | undefined;
  const partsThatDiffer = (found: Access | null): readonly AccessPart[] => {
    if (expected === undefined) return [];
    return found === null ? accessParts : differingParts(expected, found);
  };
  for (const { version, event } of changes) {
    const parts = partsThatDiffer(event.before);
    if (parts.length > 0) {
      faults.push({ code: 'AccessDiffered', streamId: accessStream(username).streamId, version, parts });
    }
    expected = event.after;
  }
  if (present === undefined) return [...faults, { code: 'AccountMissing', username }];
  const parts = partsThatDiffer(present);
  return parts.length > 0 ? [...faults, { code: 'AccessDiffers', username, parts }] : faults;
}

type Row = {
  readonly username: string;
  readonly type: string;
  readonly version: number;
  readonly schema_version: number;
  readonly payload: string;
};

async function readHistories(reader: Transaction): Promise<readonly AccountHistory[]> {
  const accounts = await reader<{ username: string }[]>`select * from admin.list_access()`;
  const present = new Map(accounts.map((row) => [row.username, accessSchema.parse(row)]));
  const rows = await reader<Row[]>`
    select substr(stream_id, strpos(stream_id, '-') + 1) as username, type, version, schema_version,
      payload::text as payload
    from ledger.event
    where stream_id like 'access-%' or stream_id like 'admin-%' and type = 'AccountInvited'
    order by epoch, xid, position`;
  const events = Map.groupBy(rows, ({ username }) => username);
  return [...new Set([...present.keys(), ...events.keys()])].sort().map((username) => {
    const own = events.get(username) ?? [];
    return {
      username,
      present: present.get(username),
      wasInvited: own.some(({ type }) => type === 'AccountInvited'),
      changes: own
        .filter(({ type }) => type !== 'AccountInvited')
        .map(({ type, version, schema_version: schemaVersion, payload }) => ({
          version,
          event: accessCodec.decode({ type, schemaVersion, payload }),
        })),
    };
  });
}
