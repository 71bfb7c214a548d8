import type { SecondFactorKind } from '@kilim/domain/people/second-factor';

export const factorTexts = {
  heading: 'Second factor',
  note: 'A passkey, or a code from an app, protects your account when another person learns your password.',
  loading: 'Loading second factors...',
  loadFailed: 'The second factors could not be loaded',
  none: 'You have no second factor yet.',
  kinds: { passkey: 'Passkey', 'one-time-code': 'One-time codes' },
  added: (time: string) => `Added ${time}`,
  used: (time: string) => `last used ${time}`,
  neverUsed: 'not used yet',
  rename: 'Rename',
  renameOf: (name: string) => `Rename ${name}`,
  save: 'Save',
  remove: 'Remove',
  removeOf: (name: string) => `Remove ${name}`,
  confirmRemoval: (name: string) => `Remove ${name}? You can then no longer sign in with it.`,
  name: 'Name',
  nameHint: 'So that you recognise it in the list.',
  addPasskey: 'Add a passkey',
  passkeyHint:
    'Your fingerprint, face or PIN on this device, or a security key. It also signs you in without a password.',
  passkeysNeedHostName: 'Passkeys need a host name: an IP address cannot have passkeys.',
  passkeysAt: 'To use passkeys, open the back office at',
  passkeysUnsupported: 'This browser does not support passkeys.',
  waiting: 'Follow the instructions of your browser...',
  addApp: 'Add an authenticator app',
  appHint: 'An app on your phone shows a new code of six digits every 30 seconds.',
  appsOff: 'One-time codes are off. The person who runs the server can turn them on.',
  scan: 'Scan this with your authenticator app, or enter the key in the app.',
  qrCode: 'QR code for the authenticator app',
  key: 'Key',
  firstCode: 'Code that the app shows now',
  confirmApp: 'Add the app',
  appName: 'Authenticator app',
  passkeyName: 'Passkey',
  password: 'Change the second factor',
  canceled: 'Your browser did not give a passkey. Please try again.',
  alreadyHere: 'This device has a passkey for your account already.',
  saved: 'Saved',
  removed: (name: string) => `${name} was removed`,
  addedNow: (name: string) => `${name} was added`,
} as const;

export const recoveryTexts = {
  heading: 'Recovery codes',
  left: (count: number) =>
    count === 0
      ? 'You have no recovery codes left. Make new ones.'
      : `${count} of 10 recovery codes ${count === 1 ? 'is' : 'are'} left. New codes replace the earlier ones.`,
  make: 'Make new codes',
  shownHeading: 'Keep these recovery codes',
  why: 'Each code signs you in once, with your password, if you lose your second factor. They are shown only now.',
  copy: 'Copy',
  copied: 'The codes were copied',
  copyFailed: 'The codes could not be copied. Please select and copy them.',
  download: 'Download',
  print: 'Print',
  done: 'I have kept the codes',
  leave: 'Have you kept the recovery codes? They are shown only now.',
  file: 'recovery-codes.txt',
} as const;

export const enrolTexts = {
  heading: 'Add a second factor',
  why: 'The back office opens when your account has a second factor besides the password.',
} as const;

export const stepTexts = {
  heading: 'Second step',
  why: 'Your password was right. Now confirm that it is you.',
  usePasskey: 'Use a passkey',
  signInWithPasskey: 'Use a passkey',
  code: 'Code',
  codeHint: (factors: readonly SecondFactorKind[]) =>
    factors.includes('one-time-code')
      ? 'Six digits from your authenticator app, or a recovery code.'
      : 'One of your recovery codes.',
  codeButton: 'Sign In',
  back: 'Back',
  or: 'or',
  withPassword: 'Use password and code',
  passkeyFirst: 'Use your passkey to confirm that it is you.',
} as const;
