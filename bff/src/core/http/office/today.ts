import { dayAfter, firstOfMonth } from '@kilim/domain/day';
import type { Sql } from '../../database/database.ts';
import { repeatWhileAway } from '../../database/repeat-while-away.ts';
import { type DayFigures, readStatistics } from '../../queries/read-statistics.ts';
import {
  type Listed,
  type PickupRow,
  type RugsRow,
  readDue,
  readInShop,
  readPickupsOn,
  readToCall,
} from '../../queries/read-today.ts';
import { dayIn } from '../../runtime/day-in.ts';
import { sessionMay } from '../proven.ts';
import type { Serve } from '../serve.ts';
import { customerInfoAnswer, maskedCustomerInfo } from '../shop/wire-mapping.ts';

type TodayOptions = { readonly sql: Sql; readonly now: () => Date; readonly timeZone: string };

export function serveToday(serve: Serve, { sql, now, timeZone }: TodayOptions): void {
  serve('GET /api/admin/today', async (_, { by: session, answer }) => {
    const readsContacts = sessionMay(session, 'readContacts');
    const at = now();
    const today = dayIn(timeZone, at);
    const [toCall, coming, tomorrow, due, inShop, figures] = await repeatWhileAway(() =>
      Promise.all([
        readToCall(sql, at, timeZone),
        readPickupsOn(sql, today),
        readPickupsOn(sql, dayAfter(today)),
        readDue(sql, { today, timeZone }),
        readInShop(sql),
        readStatistics(sql, { timeZone, today, from: firstOfMonth(today), to: today }),
      ]),
    );
    const rugsOf = ({ orderId, rugCount, contact }: RugsRow) => {
      const contactAnswer = readsContacts ? customerInfoAnswer : maskedCustomerInfo;
      return { _id: orderId, rugCount, customerInfo: contact === undefined ? null : contactAnswer(contact) };
    };
    const pickups = ({ total, rows }: Listed<PickupRow>) => ({
      total,
      rows: rows.map((row) => ({ ...rugsOf(row), agreedPickup: row.agreed ?? null })),
    });
    return answer(200, {
      day: today,
      toCall: pickups(toCall),
      coming: pickups(coming),
      tomorrow: pickups(tomorrow),
      due: {
        total: due.total,
        rows: due.rows.map((row) => ({ ...rugsOf(row), due: row.due, tier: row.tier, isHere: row.isHere })),
      },
      inShop,
      figures: { today: figuresAnswer(figures.today), thisMonth: figuresAnswer(figures.thisMonth) },
    });
  });
}

function figuresAnswer({ takings, orders }: DayFigures) {
  return { takings, orders };
}
