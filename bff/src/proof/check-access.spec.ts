import type { Access, AccessChanged } from '@kilim/domain/people/access';
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
  changes: [],
  ...more,
});

test('an account that no command created is named', () => {
  const first = account({ changes: [changed(1, null, access)] });
  const found = account({ username: 'kim', changes: [changed(1, other, access)] });
  expect(judge([first, account({ username: 'eve' }), found]).faults).toEqual([
    { code: 'AccountUnexplained', username: 'eve' },
    { code: 'AccountUnexplained', username: 'kim' },
  ]);
});

test('an invited account needs no other event', () => {
  expect(judge([account({ wasInvited: true })])).toEqual({ faults: [] });
});

test('a command that found another hash than the one before it had left is named for ever', () => {
  const changes = [changed(1, null, access), changed(2, other, access), changed(3, access, access)];
  expect(judge([account({ changes })]).faults).toEqual([
    { code: 'AccessDiffered', streamId: 'access-ada', version: 2, parts: ['password'] },
  ]);
});

test('an account that was deleted and made again is named with all of its parts', () => {
  const { faults } = judge([account({ changes: [changed(1, null, access), changed(2, null, access)] })]);
  expect(faults).toMatchObject([{ code: 'AccessDiffered', version: 2, parts: { length: 7 } }]);
});
