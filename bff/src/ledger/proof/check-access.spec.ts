import type { Access, AccessChanged } from '@kilim/domain/admin/access';
import { expect, test } from 'vitest';
import { type AccountHistory, judge } from './check-access.ts';

const access: Access = {
  role: 'owner',
  state: 'active',
  password: 'aa'.repeat(32),
  passkeys: null,
  oneTimeCode: null,
  recoveryCodes: null,
  link: null,
};
const other = { ...access, password: 'bb'.repeat(32) };

const changed = (version: number, before: Access | null, after: Access) => ({
  version,
  event: { type: 'AccessChanged', username: 'ada', before, after } satisfies AccessChanged,
});
const account = (more: Partial<AccountHistory>): AccountHistory => ({
  username: 'ada',
  present: access,
  wasInvited: false,
  facts: [],
  ...more,
});

test('the only account without an event was there before the update, and is not checked', () => {
  expect(judge([account({})])).toEqual({ faults: [], unchecked: [{ username: 'ada', what: 'account' }] });
});

test('of several accounts that no command created, none can be told from the first one', () => {
  const { faults } = judge([account({}), account({ username: 'eve' })]);
  expect(faults).toEqual([
    { code: 'AccountUnexplained', username: 'ada' },
    { code: 'AccountUnexplained', username: 'eve' },
  ]);
});

test('when the first account has its event, no other one can be without', () => {
  const first = account({ facts: [changed(1, null, access)] });
  expect(judge([first, account({ username: 'eve' })]).faults).toEqual([
    { code: 'AccountUnexplained', username: 'eve' },
  ]);
});

test('the first event of an account from before the update says how it was found', () => {
  const history = account({ facts: [changed(1, other, access)] });
  expect(judge([history])).toEqual({ faults: [], unchecked: [] });
});

test('a command that found another hash than the one before it had left is named for ever', () => {
  const facts = [changed(1, null, access), changed(2, other, access), changed(3, access, access)];
  expect(judge([account({ facts })]).faults).toEqual([
    { code: 'AccessDiffered', streamId: 'access-ada', version: 2, parts: ['password'] },
  ]);
});

test('after a change by an earlier release only the password is unknown', () => {
  const facts = [changed(1, null, access), 'password changed'] as const;
  expect(judge([account({ facts, present: { ...other, role: 'clerk' } })])).toEqual({
    faults: [{ code: 'AccessDiffers', username: 'ada', parts: ['role'] }],
    unchecked: [{ username: 'ada', what: 'password' }],
  });
});

test('an account that was deleted and made again is named with all of its parts', () => {
  const { faults } = judge([account({ facts: [changed(1, null, access), changed(2, null, access)] })]);
  expect(faults).toMatchObject([{ code: 'AccessDiffered', version: 2, parts: { length: 7 } }]);
});
