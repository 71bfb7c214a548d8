export const passwordPageTexts = {
  title: 'Password',
  heading: 'Change Password',
  note: 'Update your admin login password',
  current: 'Current Password',
  next: 'New Password',
  confirm: 'Confirm Password',
  show: 'Show passwords',
  hide: 'Hide passwords',
  update: 'Update Password',
  updating: 'Updating...',
  allRequired: 'All fields are required',
  mismatch: 'Passwords do not match',
  failed: 'Failed to update password',
  factorNeeded: 'Change the password',
  currentNeeded: 'You signed in a while ago. Please enter your current password, too.',
  updated: 'Password updated successfully!',
  updatedMore: (count: number) =>
    count === 1 ? 'One other session has been signed out.' : `${count} other sessions have been signed out.`,
  strength: 'Password strength',
  strong: (isVery: boolean) => (isVery ? 'Very strong' : 'Strong'),
  hint: 'Several words that have nothing to do with each other are strong and easy to remember.',
} as const;

export const temporaryTexts = {
  heading: 'Choose a password of your own',
  why: 'You signed in with a temporary password that another person may know. Please replace it to go on.',
} as const;

export const ownTokensTexts = {
  heading: 'Your export tokens that still work',
  note: 'Another password does not end them. Revoke every token that you do not need or do not recognise.',
} as const;

export const sessionsTexts = {
  heading: 'Where you are signed in',
  note: 'End every session that you do not recognise.',
  loading: 'Loading sessions...',
  loadFailed: 'The sessions could not be loaded',
  here: 'This browser',
  unknownBrowser: 'Unknown browser',
  since: (time: string) => `Signed in ${time}`,
  seen: (time: string) => `last seen ${time}`,
  end: 'Sign out',
  endOf: (browser: string, address: string) => `Sign out ${browser} at ${address}`,
  everywhere: 'Sign out everywhere',
  failed: 'The session could not be ended. Please try again.',
} as const;

export const nameTexts = {
  heading: 'Your account',
  signedInAs: 'Sign-in name',
  role: 'Role',
  name: 'Name',
  nameHint: 'Shown to others, for example in the timeline of an order.',
  save: 'Save name',
  saved: 'Name saved',
} as const;

export const emailTexts = {
  heading: 'Messages about your account',
  note: 'You get a message when somebody signs in with your account in a new browser, makes a link for a new password, or changes the password or the second factor.',
  loading: 'Loading the address...',
  loadFailed: 'The address could not be loaded',
  email: 'Email address',
  hint: 'Empty: you get no messages. For seven days after a change they go to the earlier address, too.',
  save: 'Save address',
  saved: 'Address saved',
} as const;
