import { type AttentionItem, attentionKinds } from '../../../../contract/attention.ts';
import { mailKinds, mailRules } from '../../../../contract/mails.ts';
import { explainClock } from '../../database/cluster.ts';
import { repeatWhileAway } from '../../database/repeat-while-away.ts';
import type { Heartbeat } from '../../ledger/jobs.ts';
import { reopenMail, settleMail } from '../../mail/outbox.ts';
import { type AttentionSource, type RoomAttention, readAllAttention } from '../../queries/read-all-attention.ts';
import type { NeedsAttention } from '../../queries/read-attention.ts';
import { retryParkedWork } from '../../use-case/retry-parked-work.ts';
import type { World } from '../../use-case/world.ts';
import { answerProblem, type Problem } from '../problem.ts';
import { sessionMay } from '../proven.ts';
import type { Serve } from '../serve.ts';
import { refundFailureMessage } from './refund-failure.ts';

export function serveAttention(serve: Serve, world: World, sources: readonly AttentionSource[]): void {
  const { sql, log } = world;
  serve('GET /api/admin/attention', async (_, { by: session, answer }) => {
    const found = await readAllAttention(world, sessionMay(session, 'readBooks') ? sources : []);
    const { ofOrders, ofRooms, lateJobs, isIncomplete } = found;
    const items = [
      ...[...ofOrders.map(itemOf), ...ofRooms.map(roomItemOf), ...lateJobs.map(jobItemOf), ...clockItems()],
      ...(isIncomplete ? [incomplete] : []),
    ].toSorted((one, other) => rank(one) - rank(other));
    return answer(200, { items });
  });
  serve('POST /api/admin/attention/retry', async (c, { by: session, body, answer }) => {
    const asking = { by: session.username, requestId: c.get('requestId') };
    const status = await retryParkedWork(world, body.id, asking);
    return status === undefined ? answerProblem(c, notParked) : answer(200, { status });
  });
  serve('POST /api/admin/mails/send', async (c, { by: session, body: mail, answer }) => {
    const isOpen = await repeatWhileAway(() => reopenMail(sql, mail));
    if (!isOpen) return answerProblem(c, noSuchMail);
    log.info({ ...mail, by: session.username, requestId: c.get('requestId') }, 'a mail is sent again');
    return answer(204);
  });
  serve('POST /api/admin/mails/drop', async (c, { by: session, body: mail, answer }) => {
    if (mailRules[mail.kind].isNotice === true && session.role !== 'owner') return answerProblem(c, ownersOnly);
    const isDropped = await repeatWhileAway(() => settleMail(sql, mail, { state: 'dropped' }));
    if (!isDropped) return answerProblem(c, noSuchMail);
    log.info({ ...mail, by: session.username, requestId: c.get('requestId') }, 'a mail was given up');
    return answer(204);
  });
}

const notParked: Problem = {
  status: 404,
  code: 'NotParked',
  message: 'This work does not wait any more. Please load the page again.',
};

const ownersOnly: Problem = {
  status: 403,
  code: 'NotPermitted',
  message: 'Only owners can give up mails about money and accounts.',
};

const noSuchMail: Problem = {
  status: 404,
  code: 'NoSuchMail',
  message: 'This mail does not wait any more. Please load the page again.',
};

function rank({ kind }: AttentionItem): number {
  return attentionKinds.indexOf(kind);
}

function itemOf({ kind, id, orderId, amount, since, dueAt, code }: NeedsAttention): AttentionItem {
  return {
    ...{ kind, id, orderId, amount },
    since: since.toISOString(),
    dueAt: dueAt?.toISOString() ?? null,
    detail: orderDetailOf({ kind, id, code }),
  };
}

function orderDetailOf({ kind, id, code }: Pick<NeedsAttention, 'kind' | 'id' | 'code'>): string | null {
  if (kind === 'refund-failed') return refundFailureMessage(code ?? undefined);
  if (kind === 'payment-unknown' || kind === 'refund-unknown') return code && `Square says: ${code}.`;
  return kind === 'mail-undelivered' ? mailFailureMessage(id, code ?? '') : null;
}

/** @param id `<kind>:<about>` */
function mailFailureMessage(id: string, codes: string): string {
  const kind = mailKinds.find((known) => id.startsWith(`${known}:`));
  return `${kind === undefined ? 'An email' : mailRules[kind].lost}: ${explainMailFailure(codes)}.`;
}

function explainMailFailure(codes: string): string {
  if (codes === 'RESTORED') return 'it was perhaps sent before the database was restored';
  const isUnknown = /^5\d\d .*RCPT$/.test(codes);
  return `the mail server ${isUnknown ? 'knows no such address' : 'did not take it for a day'} (${codes})`;
}

function roomItemOf({ kind, detail }: RoomAttention): AttentionItem {
  return { kind, id: detail ?? kind, orderId: null, amount: null, since: null, dueAt: null, detail };
}

function jobItemOf({ name, meaning, succeededAt, failure }: Heartbeat): AttentionItem {
  const why = failure === undefined ? '' : ` The server says: ${failure}.`;
  return {
    ...{ kind: 'job-late', id: name, orderId: null, amount: null, dueAt: null },
    since: succeededAt.toISOString(),
    detail: `${meaning}${why}`,
  };
}

const incomplete: AttentionItem = {
  ...{ kind: 'list-incomplete', id: 'list', orderId: null, amount: null, since: null, dueAt: null, detail: null },
};

/** Of the server that answers. */
function clockItems(): readonly AttentionItem[] {
  const detail = explainClock();
  if (detail === undefined) return [];
  const about = { id: 'clock', orderId: null, amount: null, since: null, dueAt: null };
  return [{ ...about, kind: 'clock-off', detail: `${detail}.` }];
}
