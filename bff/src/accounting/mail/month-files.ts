import { type Day, dayBefore, parseDay } from '@kilim/domain/day';
import { formatMonth } from '@kilim/domain/format-day';
import type { ExportFormat } from '../../../contract/exports.ts';
import { type Program, programs } from '../../../contract/month-mails.ts';
import type { Sql } from '../../core/database/database.ts';
import { addressed, type Compose } from '../../core/mail/compose.ts';
import { type Attachment, type Letter, text } from '../../core/mail/letter.ts';
import { exportKinds, fileNameOf, readParts } from '../export/kinds.ts';
import { type DayRange, openScope } from '../export/scope.ts';

type MonthOf = { readonly month: string; readonly program: Program };

/** A month can be sent again, so the name of the mail has the instant. */
export function aboutMonth({ month, program }: MonthOf, at: Date): string {
  return `${month}/${program}/${at.toISOString()}`;
}

export function monthIn(about: string): MonthOf | undefined {
  const [month = '', name = ''] = about.split('/');
  const program = programs.find((each) => each === name);
  return program === undefined || parseDay(`${month}-01`) === undefined ? undefined : { month, program };
}

const names = { quickbooks: 'QuickBooks', xero: 'Xero' } as const satisfies Record<Program, string>;

export const composeMonthFiles: Compose = async ({ sql, recipients, timeZone, settings, urls }, { about }) => {
  const asked = monthIn(about);
  if (asked === undefined || recipients.accountant === undefined) return undefined;
  const { name } = settings().business;
  const attachments = await filesOf(sql, timeZone, asked);
  const pageUrl = new URL('/admin/accounting', urls.office).href;
  return addressed(recipients.accountant, monthFiles({ ...asked, businessName: name, attachments, pageUrl }));
};

type Month = MonthOf & {
  readonly businessName: string;
  readonly attachments: readonly Attachment[];
  readonly pageUrl: string;
};

function monthFiles({ month, program, businessName, attachments, pageUrl }: Month): Letter {
  const words = formatMonth(month);
  return {
    subject: `${businessName}: the books of ${words} for ${names[program]}`,
    heading: `The books of ${words}`,
    parts: [
      text(`Attached are the files of ${words}. They name no customer.`),
      {
        kind: 'list',
        items: [
          `For ${names[program]}: an entry for each day, to import.`,
          'The sales tax return by line.',
          'The payouts of the card company, line by line, to compare with the bank statement.',
        ],
      },
      { kind: 'link', text: 'Open other reports and files', url: pageUrl },
    ],
    attachments,
  };
}

/** As many files as the program needs to import the month whole. */
async function filesOf(sql: Sql, timeZone: string, { month, program }: MonthOf): Promise<readonly Attachment[]> {
  const range = rangeOf(month);
  const format = `${program}-csv` as const;
  const parts = await readParts(sql, { scope: await openScope(sql, timeZone, range) }, format);
  const wanted: readonly (readonly [ExportFormat, DayRange])[] = [
    ...parts.map((part) => [format, part] as const),
    ['sales-tax-return-csv', range],
    ['payouts-csv', range],
  ];
  const files: Attachment[] = [];
  for (const [each, days] of wanted) {
    const scope = await openScope(sql, timeZone, days);
    let content = '';
    for await (const piece of exportKinds[each].pieces(sql, { scope })) content += piece;
    files.push({ fileName: fileNameOf(each, scope), contentType: exportKinds[each].contentType, content });
  }
  return files;
}

function rangeOf(month: string): DayRange {
  const [year = 0, number = 0] = month.split('-').map(Number);
  const next = number === 12 ? `${year + 1}-01` : `${year}-${String(number + 1).padStart(2, '0')}`;
  return { from: `${month}-01` as Day, to: dayBefore(`${next}-01` as Day) };
}
