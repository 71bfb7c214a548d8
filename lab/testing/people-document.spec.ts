import { readFile } from 'node:fs/promises';
import { may, type Permission, permissions, roles } from '@kilim/domain/people/permissions';
import { expect, test } from 'vitest';

test('docs/people.md has the rights of the table, and no others', async () => {
  const text = await readFile(new URL('../../docs/people.md', import.meta.url), 'utf8');
  const [table = ''] = /\| right \|[\s\S]*?\n\n/.exec(text) ?? [];
  const rows = table.trim().split('\n').slice(2);
  const names = Object.keys(permissions) as Permission[];
  expect(rows).toEqual(names.map(rowOf));
});

function rowOf(permission: Permission): string {
  const { action, needsRecentProof } = permissions[permission];
  const answers = [...roles.map((role) => may(role, permission)), needsRecentProof];
  const right = `${action.charAt(0).toUpperCase()}${action.slice(1)}`;
  return `| ${right} | ${answers.map((answer) => (answer ? 'yes' : 'no')).join(' | ')} |`;
}
