import { dayAfter, firstOfMonth } from '@kilim/domain/day';
import type { DueRugs, TodayPickup } from '../../../../contract/today.ts';
import type { Sql } from '../../database/database.ts';
import { repeatWhileAway } from '../../database/repeat-while-away.ts';
import { type DayFigures, readStatistics } from '../../queries/read-statistics.ts';
import {
  type DueRow,
  type Listed,
  type PickupRow,
  readDue,
  readInShop,
  readPickupsOn,
  readToCall,
} from '../../queries/read-today.ts';
import { dayIn } from '../../runtime/day-in.ts';
import { sessionMay } from '../proven.ts';
import type { Serve } from '../serve.ts';
import { customerInfoAnswer, maskedContact, maskedCustomerInfo } from '../shop/wire-mapping.ts';

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
    const pickups = (listed: Listed<PickupRow>) => ({
      total: listed.total,
      rows: listed.rows.map((row) => pickupAnswer(row, readsContacts)),
    });
    return answer(200, {
      day: today,
      toCall: pickups(toCall),
      coming: pickups(coming),
      tomorrow: pickups(tomorrow),
      due: { total: due.total, rows: due.rows.map((row) => dueAnswer(row, readsContacts)) },
      inShop,
      figures: { today: figuresAnswer(figures.today), thisMonth: figuresAnswer(figures.thisMonth) },
    });
  });
}

function pickupAnswer({ orderId, rugCount, agreed, contact }: PickupRow, readsContacts: boolean): TodayPickup {
  const contactAnswer = readsContacts ? customerInfoAnswer : maskedCustomerInfo;
  return {
    _id: orderId,
    rugCount,
    customerInfo: contact === undefined ? null : contactAnswer(contact),
    agreedPickup: agreed ?? null,
  };
}

function dueAnswer({ orderId, due, tier, rugCount, contact }: DueRow, readsContacts: boolean): DueRugs {
  const shown = contact === undefined || readsContacts ? contact : maskedContact(contact);
  return {
    _id: orderId,
    customer: shown?.name ?? '',
    phone: readsContacts ? (contact?.phone ?? '') : '',
    due,
    tier,
    rugCount,
  };
}

function figuresAnswer({ takings, orders }: DayFigures) {
  return { takings, orders };
}
