import { accounts, type ChartOfAccounts, usualChart } from '@kilim/domain/accounting/chart';
import type { LedgerEvent } from '@kilim/domain/ledger-event';
import { type Cents, cents, formatDollars } from '@kilim/domain/money';
import type { OrderId } from '@kilim/domain/order/ids';
import { orderNumberOf } from '@kilim/domain/order/number';
import { type SecurityDetail, securitySentence } from '@kilim/domain/people/security-log';
import { reimbursementTexts } from '@kilim/domain/projection/timeline-texts';
import { describeToldChanges, type ToldChanges } from '@kilim/domain/settings/describe-change';
import { builtInSettingsFor, type Settings } from '@kilim/domain/settings/settings';
import { unreachable } from '@kilim/domain/unreachable';
import { type Letter, type LetterPart, text } from '../../core/mail/letter.ts';
import type { Told, ToldEntry } from '../queries/read-told.ts';

export type NoticeFacts = {
  readonly above: Cents;
  /** By the actor of an event: `admin:<name>`. */
  readonly nameOf: (actor: string) => string;
  readonly timeText: (at: Date) => string;
  readonly officeUrl: string;
};

type Notice = {
  readonly heading: string;
  readonly sentence: string;
  readonly changes?: readonly string[];
  readonly page: string;
};

type Ending = { readonly circumstances: readonly string[]; readonly advice: string };

/**
 * Names no customer.
 * @returns undefined when the amount is not large enough, or no price changed.
 */
export function ownerNotice(told: Told, facts: NoticeFacts): Letter | undefined {
  const { event, actor, at } = told;
  if (event.type !== 'SettingsChanged' && event.type !== 'AccountsNamed') {
    if (Math.abs('stated' in event ? event.stated : event.amount) <= facts.above) return undefined;
  }
  const notice = noticeOf(told, facts.nameOf(actor));
  if (notice.changes?.length === 0) return undefined;
  const advice = 'If this is a surprise, ask the person today.';
  return letterOf(notice, { circumstances: [facts.timeText(at)], advice }, facts);
}

export function accessNotice(entry: ToldEntry, facts: NoticeFacts): Letter {
  const { username, displayName } = entry;
  const name = displayName === username ? username : `${displayName} (${username})`;
  const notice = { heading: `Account of ${name}`, sentence: entrySentence(entry), page: '/admin/security' };
  const advice = 'If this is a surprise, ask the person today, and look at the security log.';
  return letterOf(notice, { circumstances: whenAndWhere(entry, facts), advice }, facts);
}

export function accountNotice(entry: ToldEntry, businessName: string, facts: NoticeFacts): Letter {
  const notice = {
    heading: `Your account at ${businessName}`,
    sentence: `Your account “${entry.username}”: ${entrySentence(entry)}`,
    page: '/admin/password',
  };
  const advice =
    'That was you, or you know of it? Then you need to do nothing. Otherwise change your password, and tell an owner today.';
  return letterOf(notice, { circumstances: whenAndWhere(entry, facts), advice }, facts);
}

function letterOf(
  { heading, sentence, changes = [], page }: Notice,
  { circumstances, advice }: Ending,
  { officeUrl }: NoticeFacts,
): Letter {
  const list: readonly LetterPart[] = changes.length === 0 ? [] : [{ kind: 'list', items: changes }];
  return {
    subject: `${heading}: ${sentence}`,
    heading,
    parts: [
      text(sentence),
      ...list,
      text(`${circumstances.join(', ')}.`),
      text(advice),
      { kind: 'link', text: 'Look at it', url: new URL(page, officeUrl).href },
    ],
  };
}

function entrySentence({ kind, actorName, detail }: ToldEntry): string {
  const by = actorName === null ? '' : `, by ${actorName === 'operator' ? 'a command on the server' : actorName}`;
  return `${securitySentence(kind, JSON.parse(detail) as SecurityDetail)}${by}.`;
}

function whenAndWhere({ at, browser }: ToldEntry, { timeText }: NoticeFacts): readonly string[] {
  return [timeText(at), ...(browser === null ? [] : [browser])];
}

function noticeOf({ event, before, orderId }: Told, who: string): Notice {
  switch (event.type) {
    case 'RefundRequested':
      return ofOrder('Refund', `${who} refunds ${formatDollars(event.amount)} ${ofNumber(orderId)}.`, orderId);
    case 'CustomerReimbursed': {
      const way = reimbursementTexts[event.method];
      const sentence = `${who} gave ${formatDollars(event.amount)} back ${way}, ${ofNumber(orderId)}.`;
      return ofOrder('Reimbursement', sentence, orderId);
    }
    case 'ExternalRefundRecorded':
    case 'ExcessRefundFound': {
      const sentence = `${formatDollars(event.amount)} ${ofNumber(orderId)} went back in the Square dashboard.`;
      return ofOrder('Refund at Square', sentence, orderId);
    }
    case 'OrphanRefundRequested':
      return ofBooks('Refund', `${who} refunds ${formatDollars(event.stated)} of a payment without an order.`);
    case 'OrphanAssigned': {
      const number = orderNumberOf(event.orderId);
      const sentence = `${who} booked a payment of ${formatDollars(event.amount)} without an order to order ${number}.`;
      return ofBooks('Assignment', sentence);
    }
    case 'OrphanWrittenOff':
    case 'ClearingItemWrittenOff':
      return ofBooks('Write-off', `${who} wrote ${formatDollars(cents(Math.abs(event.amount)))} off.`);
    case 'SettingsChanged':
      return ofSettings(describeToldChanges(settingsOf(before), event.settings), who);
    case 'AccountsNamed':
      return {
        heading: 'Accounts in the books',
        sentence: `${who} changed names of accounts.`,
        changes: changedNames(chartOf(before), event.chart),
        page: '/admin/accounting',
      };
    default:
      return unreachable(event);
  }
}

function ofSettings({ prices, limits }: ToldChanges, who: string): Notice {
  const changes = [...limits, ...prices];
  return limits.length > 0
    ? {
        heading: 'Limits on refunds',
        sentence: `${who} changed the limits on refunds.`,
        changes,
        page: '/admin/people',
      }
    : {
        heading: 'Prices and tax',
        sentence: `${who} changed prices, tax or the amount for these mails.`,
        changes,
        page: '/admin/settings',
      };
}

function ofOrder(heading: string, sentence: string, orderId: OrderId | undefined): Notice {
  return { heading, sentence, page: orderId === undefined ? '/admin/orders' : `/admin/orders/${orderId}` };
}

function ofBooks(heading: string, sentence: string): Notice {
  return { heading, sentence, page: '/admin/books' };
}

function ofNumber(orderId: OrderId | undefined): string {
  return orderId === undefined ? 'of an order' : `of order ${orderNumberOf(orderId)}`;
}

/** Prices and limits before the first save do not depend on the business. */
const builtIn = builtInSettingsFor({ name: '', phone: '', bookingUrl: '', dropOffSites: [] }).settings;

function settingsOf(before: LedgerEvent | undefined): Settings {
  return before?.type === 'SettingsChanged' ? before.settings : builtIn;
}

function chartOf(before: LedgerEvent | undefined): ChartOfAccounts {
  return before !== undefined && 'chart' in before ? before.chart : usualChart;
}

function changedNames(before: ChartOfAccounts, after: ChartOfAccounts): readonly string[] {
  const textOf = ({ accounts: named }: ChartOfAccounts, account: (typeof accounts)[number]) =>
    `${named[account].name} (${named[account].code})`;
  const names = accounts.map((account) => [textOf(before, account), textOf(after, account)] as const);
  const rates = [`Tax rate ${before.taxRate}`, `Tax rate ${after.taxRate}`] as const;
  return [...names, rates].filter(([old, now]) => old !== now).map(([old, now]) => `${old} → ${now}`);
}
