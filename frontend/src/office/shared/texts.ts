import type { Role } from '@kilim/domain/people/permissions';

export const officeTexts = {
  roles: { owner: 'Owner', clerk: 'Clerk', accountant: 'Accountant' } satisfies Record<Role, string>,
  cancel: 'Cancel',
  refresh: 'Refresh',
  confirm: 'Confirm that it is you',
  failed: 'This did not work. Please try again.',
  noAnswer: 'The server did not answer.',
  full: (most: number) =>
    `The box is full with ${most.toLocaleString('en-US')} characters. Please check whether the end of your text is there.`,
  technical: 'Technical details',
} as const;
