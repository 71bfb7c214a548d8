import { createHmac } from 'node:crypto';
import { setTimeout } from 'node:timers/promises';
import { browserName } from '@kilim/domain/people/browser-name';
import { passwordTexts } from '@kilim/domain/people/password';
import {
  isAlarming,
  type SecurityDetail,
  type SecurityEvent,
  type SecurityKind,
  securityKindName,
} from '@kilim/domain/people/security-log';
import { RateLimiterMemory } from 'rate-limiter-flexible';
import type { Sql, Transaction } from '../../core/database/database.ts';
import type { SecurityEntry, SecurityNotes } from '../../core/http/proven.ts';
import { type Client, loggedPrefixOf } from '../../core/runtime/client-address.ts';
import { withinMs } from '../../core/runtime/deadline.ts';
import type { Logger } from '../../core/runtime/logger.ts';

export type NotedRequest = {
  readonly client: Client;
  readonly userAgent: string;
  readonly requestId: string;
};

export type SecurityLog = { readonly of: (request: NotedRequest) => SecurityNotes };

export type SecurityLogOptions = {
  readonly sql: Sql;
  readonly log: Logger;
  /** Hides accounts in the request log. */
  readonly secret: string;
};

const longestAwaitedMs = 1000;
/** A statement that waits for a connection ends with it. */
const longestStoredMs = 30_000;
/** Strangers cause these, so each process stores at most this many an hour: a flood cannot fill the database. */
const ofStrangers: ReadonlySet<SecurityKind> = new Set(['sign-in-failed', 'second-factor-failed', 'token-refused']);
const mostOfStrangersPerHour = 2000;
/** Longer texts cannot be names of browsers. */
const longestUserAgent = 300;

/**
 * Each entry is also a line of the request log, without personal data: the account as a keyed hash, the network's
 * prefix, and the entry's id.
 */
export function openSecurityLog({ sql, log, secret }: SecurityLogOptions): SecurityLog {
  const admits = admission(log);
  const hashOf = (username: string) =>
    createHmac('sha256', secret).update(`account ${username}`).digest('base64url').slice(0, 16);
  const tell = ({ requestId }: NotedRequest, place: Place, { entry, noted }: Told) => {
    const { kind, ...facts } = factsOf(entry);
    log[isAlarming(kind) ? 'warn' : 'info'](
      {
        requestId,
        security: kind,
        entry: noted?.id,
        account: noted?.username === undefined || noted.username === null ? undefined : hashOf(noted.username),
        network: place.network,
        browser: place.browser,
        facts,
      },
      `security log: ${securityKindName(kind).toLowerCase()}`,
    );
  };
  return {
    of: (request) => {
      const place = { ...placeOf(request), requestId: request.requestId };
      return {
        note: async (entry) => {
          const store = async () => {
            let noted: Noted | undefined;
            try {
              if (await admits(entry, place)) noted = await withinMs(longestStoredMs, insert(sql, entry, place));
            } catch (error) {
              const line = { err: error, requestId: request.requestId, security: entry.kind };
              log.error(line, 'an entry of the security log may be lost');
            }
            tell(request, place, { entry, noted });
          };
          await Promise.race([store(), setTimeout(longestAwaitedMs, undefined, { ref: false })]);
        },
        noteIn: async (transaction, entry) =>
          tell(request, place, { entry, noted: await insert(transaction, entry, place) }),
      };
    },
  };
}

export const operatorNotes = {
  noteIn: async (sql: Sql | Transaction, entry: SecurityEntry) => void (await insert(sql, entry, {})),
};

export async function noteStolen(
  security: SecurityNotes | undefined,
  username: string,
  weakness: { readonly message: string } | undefined,
): Promise<void> {
  if (weakness?.message === passwordTexts.stolen) await security?.note({ kind: 'password-stolen', username });
}

type Place = {
  readonly network?: string | undefined;
  readonly browser?: string | undefined;
  readonly requestId?: string;
};
type Noted = { readonly id: number; readonly username: string | null };
type Told = { readonly entry: SecurityEntry; readonly noted: Noted | undefined };

function placeOf({ client, userAgent }: NotedRequest): Place {
  return { network: loggedPrefixOf(client), browser: browserName(userAgent.slice(0, longestUserAgent)) };
}

function factsOf({ username: _, actor: __, ...event }: SecurityEntry): SecurityDetail & Pick<SecurityEvent, 'kind'> {
  return event;
}

async function insert(sql: Sql | Transaction, entry: SecurityEntry, place: Place): Promise<Noted | undefined> {
  const { kind, ...facts } = factsOf(entry);
  const requestId = isUuid(place.requestId) ? place.requestId : null;
  const [noted] = await sql<Noted[]>`
    select id, username from admin.note_security_entry(
      ${kind}, ${entry.username ?? null}, ${entry.actor ?? null}, ${place.network ?? null}, ${place.browser ?? null},
      ${requestId}::uuid, ${JSON.stringify(facts)}
    )`;
  return noted;
}

function isUuid(text: string | undefined): text is string {
  return text !== undefined && /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(text);
}

/** Other entries are only a line of the request log. */
function admission(log: Logger) {
  const strangers = new RateLimiterMemory({ points: mostOfStrangersPerHour, duration: 3600 });
  const delayed = new RateLimiterMemory({ points: 1, duration: 60 });
  const allows = async (limiter: RateLimiterMemory, key: string) => {
    const { consumedPoints } = await limiter.penalty(key);
    return { isAllowed: consumedPoints <= limiter.points, isFirstRefusal: consumedPoints === limiter.points + 1 };
  };
  return async ({ kind, username }: SecurityEntry, { network = 'unknown' }: Place): Promise<boolean> => {
    const isRepeated = kind === 'sign-in-throttled' || (kind === 'limit-reached' && username === undefined);
    if (isRepeated && !(await allows(delayed, `${kind} ${network}`)).isAllowed) return false;
    if (!isRepeated && !ofStrangers.has(kind)) return true;
    const { isAllowed, isFirstRefusal } = await allows(strangers, 'all');
    if (isFirstRefusal) {
      log.error(
        { mostPerHour: mostOfStrangersPerHour },
        'the security log is full of failures; further ones are left out',
      );
    }
    return isAllowed;
  };
}

/**
 * 400 days.
 * @returns how many.
 */
export async function forgetOldSecurityEntries(sql: Sql): Promise<number> {
  const [row] = await sql<{ forgotten: number }[]>`select admin.forget_old_security_entries() as forgotten`;
  return row?.forgotten ?? 0;
}
