import type { CheckPoint, ReopenReason } from '@kilim/domain/accounting/closings';

export const closingTexts = {
  heading: 'Closed periods',
  note: 'The exports of closed days never change. What becomes known later is late, and posted on the first open day.',
  loading: 'Loading the books...',
  loadFailed: 'The books could not be loaded',
  none: 'No period is closed yet.',
  list: 'Closed periods',
  through: (day: string) => `Through ${day}`,
  closedBy: (time: string, by: string) => `closed ${time} by ${by}`,
  signed: (checkpoint: number) => `Signed, seal ${checkpoint}`,
  unsigned: 'Not signed yet',
  noKey:
    'The server has no key to sign with: periods can be closed, and are not signed. Tell the person who runs the server.',
  last: 'Close everything through',
  close: (day: string) => `Close through ${day}`,
  confirm: (day: string) => `Close through ${day}?`,
  warning: 'The exports of these days stay as they are now. Only an owner can reopen them, which is recorded.',
  withOpenPoints: (count: number) =>
    count === 1
      ? 'One point of the checklist is open. The certificate will name it.'
      : `${count} points of the checklist are open. The certificate will name them.`,
  closedNow: (day: string) => `Closed through ${day}`,
  failed: 'The period could not be closed',
  notOver: (last: string) => `A day can be closed when it is over, so ${last} is the last one now.`,
  allClosed: (day: string) => `Everything through ${day} is closed.`,
} as const;

export const reopeningTexts = {
  open: (day: string) => `Reopen (closed through ${day})`,
  button: 'Reopen',
  confirm: (day: string) => `Reopen the days through ${day}?`,
  consequence:
    'These days are open again, with the late facts on their own days. The certificate is superseded: import the exports again after you have closed the days again.',
  reason: 'Reason',
  reasons: {
    'late-facts': 'Late facts belong to these days',
    'wrong-day': 'The wrong day was closed',
    'wrong-names': 'The names of accounts were wrong',
    correction: 'A correction belongs to these days',
    accountant: 'The accountant asked for it',
  } satisfies Record<ReopenReason, string>,
  reopened: (time: string, by: string, reason: string) => `reopened ${time} by ${by}: ${reason}`,
  superseded: 'Superseded',
  done: (day: string) => `The days through ${day} are open`,
  failed: 'The period could not be reopened',
} as const;

export const checkFilesTexts = {
  button: 'Check files',
  open: (day: string) => `Check files, closed through ${day}`,
  title: (day: string) => `Are these files of the certificate through ${day}?`,
  note: 'Choose files that you downloaded or were given. They are compared on this device and are not sent anywhere.',
  superseded: 'The days were reopened later, so this certificate is superseded.',
  choose: 'Files to check',
  checking: 'Comparing...',
  failed: 'The certificate could not be loaded, so nothing was compared. Please try again.',
  close: 'Close',
  list: 'What was found',
  result: (same: number, all: number) =>
    `${same} of ${all} ${all === 1 ? 'file' : 'files'} ${same === 1 ? 'is' : 'are'} of this certificate, unchanged.`,
  verdicts: {
    same: 'Unchanged',
    'of-another': 'Another period',
    'other-days': 'Another period',
    changed: 'Changed',
    empty: 'Empty',
    unknown: 'Not in the certificate',
    unreadable: 'Not read',
  },
  explained: {
    same: (fileName: string) => `It is ${fileName} of this certificate.`,
    another: (fileName: string, from: string, to: string) =>
      `It is ${fileName} of the certificate from ${from} to ${to}, unchanged.`,
    changed: 'The certificate has a file of this name with another content. Download it again from the certificate.',
    otherDays: (from: string, to: string) => `Its name says ${from} to ${to}, and no certificate has its content.`,
    empty: 'There is nothing in this file. Download it again from the certificate.',
    unknown: 'No certificate has a file with this name or content. Perhaps a program saved it again.',
    unreadable: 'The browser could not read this file. It may be too large, or the page was not opened with https.',
  },
} as const;

export const pointTexts = {
  doubt: 'Nothing in doubt',
  compared: 'Compared with Square',
  differences: 'No differences',
  fees: 'Fees are here',
  clearing: 'Clearing is explained',
  sealed: 'Sealed',
  verified: 'Checked for changes',
  witness: 'Notes kept elsewhere',
} satisfies Record<CheckPoint, string>;

export const checklistTexts = {
  label: 'Checklist',
  heading: (day: string) => `Before closing through ${day}`,
  loading: 'Checking the period...',
  loadFailed: 'The period could not be checked',
  point: 'Point',
  state: 'State',
  states: { done: 'Done', open: 'Open', unknown: 'Not known' },
  show: (point: string) => `Look at it: ${point}`,
  go: 'Look at it',
} as const;

export const certificateTexts = {
  title: 'Certificate of a closing',
  link: 'Certificate',
  linkOf: (day: string) => `Certificate, closed through ${day}`,
  making: 'The certificate is being made...',
  neverMade: 'The days were reopened before the certificate was made.',
  loading: 'Loading the certificate...',
  loadFailed: 'The certificate could not be loaded',
  back: 'Back to accounting',
  print: 'Print',
  download: 'Download JSON',
  heading: (from: string, through: string) => `Certificate: ${from} to ${through}`,
  inForce: 'In force',
  superseded: 'Superseded',
  supersededNote: (time: string, by: string, reason: string) =>
    `This certificate is superseded: the days were reopened ${time} by ${by}. Reason: ${reason}.`,
  closed: 'Closed',
  certified: 'Certified',
  timeZone: 'Time zone of the days',
  byAt: (by: string, time: string) => `${time}, by ${by}`,
  edition: 'Edition of the export formats',
  events: 'Events',
  bookings: 'Bookings',
  late: 'Late bookings',
  checklist: 'Checklist at the closing',
  nothingOpen: 'No point was open.',
  accounts: 'Journal by account',
  account: 'Account',
  code: 'Code',
  debit: 'Debit',
  credit: 'Credit',
  sum: 'Sum',
  files: 'Files',
  file: 'File',
  bytes: 'Bytes',
  digest: 'Fingerprint (SHA-256)',
  filesNote:
    'The links have exactly the days of the certificate. Check files, beside the certificate in the list, says whether a downloaded file is one of these.',
  checkpoint: 'Signed note',
  checkpointNote:
    'It is made of everything that was recorded up to here, and would differ if any of it were changed. It proves that only together with a copy that is kept elsewhere.',
  noCheckpoint: 'The note is not made yet. The server makes one each minute.',
} as const;
