import { type MailKind, mailKinds, mailRules } from '../../../contract/mails.ts';
import type { Sql } from '../database/database.ts';
import { isDatabaseAway } from '../database/failures.ts';
import { repeatWhileAway } from '../database/repeat-while-away.ts';
import { type Composed, type ComposingWorld, compose, writes } from '../mail/compose.ts';
import {
  addMail,
  forgetOldMails,
  gatherMails,
  hasFailedMails,
  postponeMail,
  type Settled,
  settleMail,
  type TakenMail,
  takeMails,
} from '../mail/outbox.ts';
import { render } from '../mail/render.ts';
import { dayIn } from '../runtime/day-in.ts';
import { withinMs } from '../runtime/deadline.ts';
import type { Logger } from '../runtime/logger.ts';
import { failureOf, type Smtp, type SmtpFailure } from '../runtime/smtp.ts';
import { day, type Fail, hour, type Job, minute } from './job.ts';
import { settledNewest } from './look.ts';

export type MailWorld = ComposingWorld & {
  readonly log: Logger;
  readonly now: () => Date;
  readonly smtp: Pick<Smtp, 'send'>;
  readonly from: string;
};

/** A mail server that hangs delays at most this many mails at a time. */
const mostAtOnce = 4;
/** The wider look makes up for a longer outage of all servers. */
const recentSeconds = hour;
const widerSeconds = 7 * day;
const widerEveryMs = 9 * minute * 1000;
/** Shorter than the shutdown's stage for work. A mail that is cut off is sent again with the same id. */
const longestStopMs = 3000;

/**
 * At the first time, everything in the ledger counts as sent. Call it before the server answers: an order that is paid
 * before the first round would get no mail.
 */
export async function beginMails(world: Addressees & Pick<ComposingWorld, 'sql'>): Promise<void> {
  await gatherMails(world.sql, kindsFor(world), widerSeconds);
}

/** Payments never wait for mails. */
export function sendingMails(world: MailWorld): Job {
  const rounds = mailRounds(world);
  let gathered: { readonly newest: string | undefined; readonly minute: number } | undefined;
  return {
    name: 'send-mails',
    limitSeconds: hour,
    meaning: 'Emails are not sent.',
    pollSeconds: 1,
    despiteClock: true,
    // Mails follow from events, from the security log, and each minute from the calendar.
    isIdle: (seen) => !seen.hasMails && gathered?.newest === seen.newest && gathered.minute === minuteOf(world.now()),
    run: async (fail, seen) => {
      const before = { newest: settledNewest(seen), minute: minuteOf(world.now()) };
      gathered = undefined;
      const taken = await rounds(fail);
      gathered = before;
      return taken;
    },
    stop: (rounds) => withinMs(longestStopMs, rounds()).catch(() => undefined),
  };
}

function minuteOf(at: Date): number {
  return Math.floor(at.getTime() / 1000 / minute);
}

/** @returns how many mails were taken. */
export function mailRounds(world: MailWorld): Job['run'] {
  const { sql } = world;
  const kinds = kindsFor(world);
  const addSummary = addingSummaries(world);
  let lookedAt = Number.NEGATIVE_INFINITY;
  return async (fail) => {
    const isWide = performance.now() - lookedAt > widerEveryMs;
    await gatherMails(sql, kinds, isWide ? widerSeconds : recentSeconds);
    if (isWide) {
      await forgetOldMails(sql);
      lookedAt = performance.now();
    }
    await addSummary();
    const taken = await takeMails(sql, mostAtOnce);
    await Promise.all(taken.map((mail) => send(world, mail, fail)));
    // While a mail waits for another try, only a sent mail shows that the mail server works.
    return taken.length === 0 && (await hasFailedMails(sql)) ? undefined : taken.length;
  };
}

type Addressees = Pick<ComposingWorld, 'recipients' | 'letters'>;

/** The kinds to people who have an address here. */
function kindsFor(world: Addressees): readonly MailKind[] {
  const { recipients } = world;
  return mailKinds.filter((kind) => {
    if (!writes(world, kind)) return false;
    const { to } = mailRules[kind];
    return to === 'customer' || to === 'person' || recipients[to] !== undefined;
  });
}

/** The shop reads it before its day begins. */
const summaryAtHour = 7;

function addingSummaries({ sql, recipients, now, timeZone }: MailWorld): () => Promise<void> {
  const hourFormat = new Intl.DateTimeFormat('en-US', { timeZone, hour: 'numeric', hourCycle: 'h23' });
  let added: string | undefined;
  return async () => {
    const instant = now();
    const today = dayIn(timeZone, instant);
    if (recipients.shop === undefined || added === today) return;
    if (Number(hourFormat.format(instant)) < summaryAtHour) return;
    await addMail(sql, { kind: 'attention-summary', about: today });
    added = today;
  };
}

async function send(world: MailWorld, mail: TakenMail, fail: Fail): Promise<void> {
  const { sql, log } = world;
  const { kind, about, tries } = mail;
  const composed = await tryToCompose(world, mail);
  if (composed === 'failed') return;
  if (composed === undefined) {
    await settle(sql, mail, { state: 'dropped' });
    return;
  }
  if (composed === 'later') {
    await postponeMail(sql, mail, { failure: undefined, seconds: minute });
    return;
  }
  try {
    await world.smtp.send(messageOf(world, mail, composed));
  } catch (error) {
    const failure = failureOf(error);
    if (!failure.isRefusedAddress) fail(`the mail server: ${failure.codes}`);
    await settleFailure(world, mail, failure);
    return;
  }
  await settle(sql, mail, { state: 'sent' });
  log.info({ kind, about, tries }, 'a mail was sent');
}

/** A mail that cannot be written must not keep the others waiting. */
async function tryToCompose(world: MailWorld, mail: TakenMail): Promise<Composed | 'failed'> {
  try {
    return await compose(world, mail);
  } catch (error) {
    if (isDatabaseAway(error)) throw error;
    world.log.error({ err: error, kind: mail.kind, about: mail.about }, 'a mail could not be written');
    await settleFailure(world, mail, { codes: 'NOT_WRITTEN', isRefusedAddress: false });
    return 'failed';
  }
}

/** A lost answer of the database would send the mail again. */
async function settle(sql: Sql, mail: TakenMail, settled: Settled): Promise<void> {
  await repeatWhileAway(() => settleMail(sql, mail, settled));
}

type Addressed = Exclude<Composed, 'later' | undefined>;

function messageOf({ settings, from }: MailWorld, mail: TakenMail, { to, letter }: Addressed) {
  const { name, phone } = settings().business;
  return {
    from: { name, address: from },
    to,
    subject: letter.subject,
    ...render(letter, { name, phone }),
    messageId: `<${mail.messageId}@${from.slice(from.lastIndexOf('@') + 1)}>`,
    attachments: (letter.attachments ?? []).map(({ fileName, contentType, content }) => ({
      filename: fileName,
      contentType,
      content,
    })),
    // So that mail programs send no out-of-office answer.
    headers: { 'Auto-Submitted': 'auto-generated' },
  };
}

const firstPauseSeconds = 30;
const longestPauseSeconds = hour;
/** Then a person has to look at it. */
const triedForSeconds = day;

async function settleFailure({ sql, log }: MailWorld, mail: TakenMail, failure: SmtpFailure): Promise<void> {
  const { kind, about, tries, ageSeconds } = mail;
  const found = { kind, about, tries, failure: failure.codes };
  if (failure.isRefusedAddress || ageSeconds > triedForSeconds) {
    await settle(sql, mail, { state: 'parked', failure: failure.codes });
    log.error(found, 'a mail could not be delivered, and waits for a person');
    return;
  }
  const seconds = Math.min(firstPauseSeconds * 2 ** (tries - 1), longestPauseSeconds);
  await postponeMail(sql, mail, { failure: failure.codes, seconds });
  log.warn(found, 'a mail could not be sent, and is tried again');
}
