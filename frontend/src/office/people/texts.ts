import type { AccountState } from '@kilim/domain/people/people';
import type { Role } from '@kilim/domain/people/permissions';
import type { RefundLimitName } from '@kilim/domain/people/refund-limits';

export const peopleTexts = {
  title: 'People',
  heading: 'People',
  note: 'Everyone who can sign in to the back office.',
  loading: 'Loading people...',
  loadFailed: 'The people could not be loaded',
  person: 'Person',
  role: 'Role',
  state: 'State',
  seen: 'Last seen',
  notSignedIn: 'Not signed in',
  actions: 'Actions',
  manage: 'Manage',
  manageOf: (name: string) => `Manage ${name}`,
  you: 'You',
  temporaryPassword: 'Temporary password',
  linkUntil: (purpose: 'invitation' | 'reset', time: string) =>
    `${purpose === 'invitation' ? 'Invitation' : 'Link for a new password'} valid until ${time}`,
  roleHints: {
    owner: 'May do everything.',
    clerk: 'Orders, contacts of customers and refunds. No settings, people, books or exports.',
    accountant: 'Orders with masked contacts, books, exports and closing. No refunds, settings or people.',
  } satisfies Record<Role, string>,
  states: { invited: 'Invited', active: 'Active', disabled: 'Disabled' } satisfies Record<AccountState, string>,
} as const;

export const limitTexts = {
  heading: 'Limits on refunds',
  note: 'The most that a person can refund. Pending and completed refunds of the day count; failed ones do not.',
  loading: 'Loading limits...',
  loadFailed: 'The limits could not be loaded',
  names: {
    perRefund: 'One refund',
    perPersonAndDay: 'One person in a day',
    perShopAndDay: 'The whole shop in a day',
  } satisfies Record<RefundLimitName, string>,
  raising:
    'To raise a limit, you confirm that it is you. A clerk can refund until the shop’s refunds of the day reach the clerk’s limit.',
  save: 'Save limits',
  saved: 'Limits saved',
} as const;

export const inviteTexts = {
  heading: 'Invite a person',
  note: 'The person gets a link from you, and chooses a password with it. The link is valid for 24 hours.',
  username: 'Sign-in name',
  usernameHint: 'For example an email address or a short name. It cannot be changed later.',
  displayName: 'Name',
  displayNameHint: 'Shown to others, for example in the timeline of an order.',
  email: 'Email address',
  emailHint: 'Optional. Where messages about the account go, such as a new sign-in. The person can change it.',
  invite: 'Invite',
} as const;

export const linkTexts = {
  made: (name: string) => `Link for ${name}`,
  how: 'Copy the link now and send it to this person only. It is shown once, works once, and expires in 24 hours.',
  copy: 'Copy',
  copied: 'Link copied',
  copyFailed: 'The link could not be copied. Please select and copy it yourself.',
} as const;

export const manageTexts = {
  title: (name: string) => `Account of ${name}`,
  saveRole: 'Save role',
  roleNote: 'A change signs the person out everywhere.',
  roleSaved: 'Role saved',
  confirmOwnRole: (role: string) =>
    `Give yourself the role ${role}? You are signed out at once, and only another owner can make you an owner again.`,
  link: { invited: 'Make another invitation link', active: 'Make a link for a new password' },
  resetFactor: 'Reset second factor',
  resetFactorNote:
    'For a lost device. Removes all passkeys and codes of the person, and signs the person out everywhere.',
  factorReset: 'Second factor reset',
  /** Without a name: of one's own account. */
  confirmReset: (name?: string) =>
    name === undefined
      ? 'Remove all your passkeys and codes? You are signed out at once. Then you sign in with your password only.'
      : `Remove all passkeys and codes of ${name}? ${name} is signed out, and then needs only the password.`,
  disable: 'Disable account',
  disableNote: 'Ends all sessions and export tokens immediately. You can enable the account again.',
  disabled: 'Account disabled',
  confirmDisabling: (name?: string) =>
    name === undefined
      ? 'Disable your own account? You are signed out at once, and only another owner can enable it again.'
      : `Disable the account of ${name}? Its sessions, links and export tokens end at once.`,
  enable: 'Enable account',
  enabled: 'Account enabled',
  close: 'Close',
} as const;

export const invitationTexts = {
  title: 'Choose a password',
  welcome: (name: string) => `Welcome, ${name}`,
  invited: (role: string) => `You are invited to the back office as ${role}.`,
  reset: 'Choose a new password for your account.',
  username: 'Sign-in name',
  name: 'Your name',
  password: 'Password',
  confirm: 'Confirm password',
  hint: 'Several words that have nothing to do with each other are strong and easy to remember.',
  choose: 'Set password',
  choosing: 'Setting...',
  loading: 'Checking the link...',
  mismatch: 'The two passwords differ',
  missing: 'Please enter a password twice',
  done: 'Your password is set',
  doneHint: (username: string) => `Sign in as ${username}.`,
  otherPerson: (name: string) => `${name} is signed in in this browser. Going to the sign-in signs ${name} out.`,
  signIn: 'Go to the sign-in',
  invalid: 'This link cannot be used',
} as const;
