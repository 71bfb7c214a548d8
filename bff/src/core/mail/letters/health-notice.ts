import type { Sql } from '../../database/database.ts';
import { type Letter, type LetterPart, text } from '../letter.ts';

type Alarm = { readonly sentence: string; readonly news: 'began' | 'ended' | 'lasts' };

/**
 * @param about the instant at which faults began or ended.
 * @returns undefined when there were none.
 */
export async function healthNotice(sql: Sql, about: string, overviewUrl: string): Promise<Letter | undefined> {
  const alarms = await sql<Alarm[]>`
    select sentence,
      case ${about}::text::timestamptz when began_at then 'began' when ended_at then 'ended' else 'lasts' end as news
    from ledger.alarm
    where began_at <= ${about}::text::timestamptz and (ended_at is null or ended_at >= ${about}::text::timestamptz)
    order by began_at, name`;
  const of = (news: Alarm['news']) => alarms.filter((alarm) => alarm.news === news).map(({ sentence }) => sentence);
  const [began, ended, lasts] = [of('began'), of('ended'), of('lasts')];
  const [first] = [...began, ...ended];
  if (first === undefined) return undefined;
  const more = began.length + ended.length > 1 ? ', and more' : '';
  return {
    subject: `${began.length > 0 ? 'The order system needs help' : 'Over'}: ${first}${more}`,
    heading: began.length > 0 ? 'The order system needs help' : 'This is over',
    parts: [
      ...listOf('Since now', began),
      ...listOf('Not over yet', lasts),
      ...listOf('Over', ended),
      text(
        ...(began.length > 0 ? ['Please pass this message on to the person who runs the server.'] : []),
        'Another message follows when something begins or ends.',
      ),
      { kind: 'link', text: 'Open the overview', url: overviewUrl },
    ],
  };
}

function listOf(heading: string, items: readonly string[]): readonly LetterPart[] {
  return items.length === 0
    ? []
    : [
        { kind: 'heading', text: heading },
        { kind: 'list', items },
      ];
}
