import {
  type Access,
  type AccessChanged,
  type AccessPart,
  accessParts,
  differingParts,
} from '@kilim/domain/admin/access';
import type { Sql, Transaction } from '../../database/database.ts';
import { accessCodec, accessSchema, accessStream } from '../codecs/access.ts';

/** An account of the back office that is not as its events say. */
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

/** What the events do not say. It is no fault. */
export type UncheckedAccount = {
  readonly username: string;
  /** `account`: it has no event. `password`: a server of an earlier release changed it last. */
  readonly what: 'account' | 'password';
};

export type CheckedAccess = {
  readonly faults: readonly AccessFault[];
  readonly unchecked: readonly UncheckedAccount[];
};

/** The account and its events, oldest first. */
export type AccountHistory = {
  readonly username: string;
  /** Undefined: there is no such account. */
  readonly present: Access | undefined;
  readonly wasInvited: boolean;
  readonly facts: readonly (
    | { readonly version: number; readonly event: AccessChanged }
    /** A server of an earlier release changed the password, and recorded no access. */
    | 'password changed'
  )[];
};

/**
 * Compares each account with its events. `undefined` when this login may not read accounts, or the
 * database has the migrations of another release.
 */
export async function checkAccess(sql: Sql): Promise<CheckedAccess | undefined> {
  const [right] = await sql<{ may: boolean | null }[]>`
    select has_schema_privilege('admin', 'usage')
      and has_function_privilege(to_regprocedure('admin.list_access()'), 'execute') as may`;
  if (right?.may !== true) return undefined;
  const histories = await sql.begin('isolation level repeatable read read only', readHistories);
  return judge(histories);
}

/** @param histories of all accounts */
export function judge(histories: readonly AccountHistory[]): CheckedAccess {
  const judged = histories.map(judgeOne);
  // An earlier release created the first account without an event, and no other one.
  const unexplained = histories.filter((history) => history.present !== undefined && !isExplained(history));
  const mayBeFirst = unexplained.length === 1 && !histories.some(isRecordedFirst);
  return {
    faults: [
      ...judged.flatMap(({ faults }) => faults),
      ...(mayBeFirst ? [] : unexplained).map(({ username }) => ({ code: 'AccountUnexplained', username }) as const),
    ],
    unchecked: judged.flatMap(({ unchecked }) => unchecked),
  };
}

function isExplained(history: AccountHistory): boolean {
  return history.wasInvited || wasCreated(history);
}

function isRecordedFirst(history: AccountHistory): boolean {
  return !history.wasInvited && wasCreated(history);
}

function wasCreated({ facts }: AccountHistory): boolean {
  const first = facts.find((fact) => fact !== 'password changed');
  return first?.event.before === null;
}

function judgeOne({ username, present, facts }: AccountHistory): CheckedAccess {
  const faults: AccessFault[] = [];
  let expected: Access | undefined;
  let isPasswordKnown = true;
  const partsThatDiffer = (found: Access | null): readonly AccessPart[] => {
    if (expected === undefined) return [];
    if (found === null) return accessParts;
    return differingParts(expected, found).filter((part) => part !== 'password' || isPasswordKnown);
  };
  for (const fact of facts) {
    if (fact === 'password changed') {
      isPasswordKnown = false;
      continue;
    }
    const { version, event } = fact;
    const parts = partsThatDiffer(event.before);
    if (parts.length > 0) {
      faults.push({ code: 'AccessDiffered', streamId: accessStream(username).streamId, version, parts });
    }
    expected = event.after;
    isPasswordKnown = true;
  }
  if (present === undefined) return { faults: [...faults, { code: 'AccountMissing', username }], unchecked: [] };
  if (expected === undefined) return { faults, unchecked: [{ username, what: 'account' }] };
  const parts = partsThatDiffer(present);
  if (parts.length > 0) faults.push({ code: 'AccessDiffers', username, parts });
  return { faults, unchecked: isPasswordKnown ? [] : [{ username, what: 'password' }] };
}

type Row = {
  readonly username: string;
  readonly type: string;
  readonly version: number;
  readonly schema_version: number;
  readonly payload: string;
};

/** An event of a command that recorded the access, too, is left out: see `recordingAccess`. */
async function readHistories(reader: Transaction): Promise<readonly AccountHistory[]> {
  const accounts = await reader<{ username: string }[]>`select * from admin.list_access()`;
  const present = new Map(accounts.map((row) => [row.username, accessSchema.parse(row)]));
  const rows = await reader<Row[]>`
    select substr(stream_id, length('access-') + 1) as username, type, version, schema_version, payload::text as payload,
      epoch, xid, position
    from ledger.event where stream_id like 'access-%'
    union all
    select substr(stream_id, length('admin-') + 1), type, version, schema_version, payload::text, epoch, xid, position
    from ledger.event changed where stream_id like 'admin-%' and (
      type = 'AccountInvited' or type = 'PasswordChanged' and not exists (
        select from ledger.event recorded
        where recorded.stream_id = 'access-' || substr(changed.stream_id, length('admin-') + 1)
          and recorded.epoch = changed.epoch and recorded.xid = changed.xid
      )
    )
    order by epoch, xid, position`;
  const events = Map.groupBy(rows, ({ username }) => username);
  return [...new Set([...present.keys(), ...events.keys()])].sort().map((username) => {
    const own = events.get(username) ?? [];
    return {
      username,
      present: present.get(username),
      wasInvited: own.some(({ type }) => type === 'AccountInvited'),
      facts: own.filter(({ type }) => type !== 'AccountInvited').map(factOf),
    };
  });
}

function factOf({ type, version, schema_version: schemaVersion, payload }: Row): AccountHistory['facts'][number] {
  return type === 'PasswordChanged'
    ? 'password changed'
    : { version, event: accessCodec.decode({ type, schemaVersion, payload }) };
}
