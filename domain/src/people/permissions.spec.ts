import { expect, test } from 'vitest';
import { may, notPermittedText, type Permission, permissions, type roles, rolesText } from './permissions.ts';

const names = Object.keys(permissions) as Permission[];
const granted = (role: (typeof roles)[number]) => names.filter((permission) => may(role, permission));

test('an owner may do everything', () => {
  expect(granted('owner')).toEqual(names);
});

test('a clerk serves customers and refunds, without settings, people, books and exports', () => {
  expect(granted('clerk')).toEqual([
    'useOwnAccount',
    'changeOwnSecondFactor',
    'changeOwnName',
    'changeOwnEmail',
    'endOwnSessions',
    'readNames',
    'readOrders',
    'readStatistics',
    'readContacts',
    'refund',
    'readRefundAllowance',
    'writeNotes',
    'receiveRugs',
    'retryWork',
  ]);
});

test('an accountant keeps the books, without contacts, refunds, settings and people', () => {
  expect(granted('accountant')).toEqual([
    'useOwnAccount',
    'changeOwnSecondFactor',
    'changeOwnName',
    'changeOwnEmail',
    'endOwnSessions',
    'readNames',
    'readOrders',
    'readStatistics',
    'readBooks',
    'explainDifferences',
    'bookDifferences',
    'closePeriods',
    'nameAccounts',
    'export',
    'manageTokens',
    'createTokens',
  ]);
});

test('whatever moves money, removes data or grants access needs a recent proof', () => {
  const recent = names.filter((permission) => permissions[permission].needsRecentProof);
  expect(recent).toEqual([
    'changeOwnSecondFactor',
    'changeOwnEmail',
    'endOwnSessions',
    'refund',
    'eraseContact',
    'explainDifferences',
    'bookDifferences',
    'refundOrphans',
    'closePeriods',
    'reopenPeriods',
    'nameAccounts',
    'createTokens',
    'changeSettings',
    'managePeople',
  ]);
});

test('a refusal says who can do it', () => {
  expect(notPermittedText('accountant', 'refund')).toBe(
    'Only owners and clerks can refund payments, and you are an accountant.',
  );
  expect(notPermittedText('clerk', 'changeSettings')).toBe('Only owners can change the settings, and you are a clerk.');
  expect(rolesText('readOrders')).toBe('everyone');
});
