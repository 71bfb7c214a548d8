import type { Sql } from '../../database/database.ts';
import { type Letter, text } from '../letter.ts';

type Alarm = { readonly sentence: string; readonly news: 'New' | 'Not over yet' | 'Over' };

/**
 * @param about the instant at which faults began or ended.
 * @returns undefined when there were none.
 */
export async function healthNotice(sql: Sql, about: string, todayUrl: string): Promise<Letter | undefined> {
  const alarms = await sql<Alarm[]>`
    select sentence,
      case ${about}::text::timestamptz when began_at then 'New' when ended_at then 'Over' else 'Not over yet' end as news
    from ledger.alarm
    where began_at <= ${about}::text::timestamptz and (ended_at is null or ended_at >= ${about}::text::timestamptz)
    order by news, began_at, name`;
  const changed = alarms.filter(({ news }) => news !== 'Not over yet');
  const [first] = changed;
  if (first === undefined) return undefined;
  const more = changed.length > 1 ? ', and more' : '';
  const needsHelp = first.news === 'New';
  return {
    subject: `${needsHelp ? 'The order system needs help' : 'Over'}: ${first.sentence}${more}`,
    heading: needsHelp ? 'The order system needs help' : 'This is over',
    parts: [
      { kind: 'list', items: alarms.map(({ news, sentence }) => `${news}: ${sentence}`) },
      text(
        ...(needsHelp ? ['Please pass this message on to the person who runs the server.'] : []),
        'Another message follows when something begins or ends.',
      ),
      { kind: 'link', text: 'Open the page Today', url: todayUrl },
    ],
  };
}
