import { type FirstDayAnswer, firstDay } from '@kilim/bff/contract/first-day';
import { queryOptions } from '@tanstack/react-query';
import { call } from '../../shared/call.ts';
import { adminQuery } from '../shared/api/admin-query.ts';
import { outcomeOf } from '../shared/api/outcome.ts';
import { settingsKey } from '../shared/settings/settings-calls.ts';

/** Steps are done in other tabs, too. */
export const askSoonMilliseconds = 5_000;

export const firstDayQuery = queryOptions({
  ...adminQuery([...settingsKey, 'first-day'], call('GET /api/admin/first-day', { answer: firstDay })),
  refetchInterval: ({ state: { data } }) => (data === undefined || isOver(data) ? false : askSoonMilliseconds),
});

export function isOver({ isHidden, steps }: FirstDayAnswer): boolean {
  return isHidden || steps.every(({ isDone }) => isDone);
}

export function sendTestMail() {
  return outcomeOf(call('POST /api/admin/first-day/mail'));
}
