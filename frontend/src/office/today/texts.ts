import type { AttentionKind } from '@kilim/bff/contract/attention';
import type { ResolutionReason } from '@kilim/domain/accounting/resolutions';
import type { ReimbursementMethod } from '@kilim/domain/order/events';
import type { FirstDayStep } from '@kilim/domain/settings/first-day';

type AttentionText = { readonly title: (amount: string) => string; readonly advice: string };

export const attentionTexts = {
  heading: 'Needs you',
  loading: 'Loading what needs you...',
  loadFailed: 'What needs you could not be loaded',
  nothing: 'Nothing needs you now.',
  nothingElse: 'Nothing else needs you now.',
  since: (time: string) => `Since ${time}.`,
  due: (time: string) => `Evidence is due by ${time}.`,
  order: (number: string) => `Order ${number}`,
  openOrder: 'Open the order',
  openOrderOf: (number: string) => `Open order ${number}`,
  openBooks: 'Open the books',
  openPayouts: 'Open the payouts',
  retry: 'Ask Square again',
  retrying: 'Asking Square...',
  retried: { title: 'Square has answered', description: 'The order shows what became of it.' },
  stillUnknown: {
    title: 'Square did not answer',
    description: 'The work waits again. Please try later, or look in the Square dashboard.',
  },
  retryFailed: 'Square could not be asked',
  settle: 'Not owed any more',
  kinds: {
    'clock-off': {
      title: () => 'The server takes no orders: its clock is wrong',
      advice: 'Please tell the person who runs the server to correct the clock. It goes on by itself then.',
    },
    'refund-unproven': {
      title: (amount) => `A refund of ${amount} is in the records, but none of our servers wrote it`,
      advice:
        'Nothing was sent to Square. Please tell the person who runs the server: somebody may have changed the database. Ask Square again to end this refund. Then refund the order yourself if the customer is to get the money.',
    },
    'limits-unproven': {
      title: () => 'None of our servers wrote the last limits on refunds',
      advice:
        'They raise no limit until an owner looks at them on the page People and saves them again. Please tell the person who runs the server, who may have changed the key of the server.',
    },
    'payment-risky': {
      title: (amount) => `A payment of ${amount} may be fraud, says Square`,
      advice:
        'Call the customer before you collect the rugs or give them back. Refund the order if something is wrong. If all is well, write a note on the order, and this line goes.',
    },
    'refund-failed': {
      title: (amount) => `The ${amount} refund did not reach the customer`,
      advice:
        'Refund it again if the order offers it. Otherwise pay it back another way, and record that on the order.',
    },
    'dispute-open': {
      title: (amount) => `A bank disputes a payment of ${amount}`,
      advice: 'Send your evidence in the Square dashboard.',
    },
    'payout-returned': {
      title: () => 'Your bank sent a payout back to Square',
      advice:
        'Check your bank account in the Square dashboard. The money is in your Square balance, and Square sends it again with a later payout. When one has arrived, this line goes.',
    },
    'work-parked': {
      title: (amount) => `Square has not answered for a day: order of ${amount}`,
      advice: 'Ask Square again. If it still does not answer, look for the order in the Square dashboard.',
    },
    'payment-unknown': {
      title: (amount) => `It is not known whether ${amount} was taken`,
      advice: 'The server keeps asking Square. Please do not take the money another way meanwhile.',
    },
    'refund-unknown': {
      title: (amount) => `It is not known whether ${amount} was given back`,
      advice: 'The server keeps asking Square. Please do not give it back another way meanwhile.',
    },
    'refund-overdue': {
      title: (amount) => `A refund of ${amount} has been pending for more than two days`,
      advice: 'Look it up in the Square dashboard.',
    },
    'difference-unpaid': {
      title: (amount) => `A customer has not paid a difference of ${amount}`,
      advice: 'Call the customer, send the link again or do not ask for it any more: the order has all three.',
    },
    'rugs-late': {
      title: () => 'Rugs are in the shop longer than promised',
      advice: 'If they are ready, say so on the order. If not, tell the customer.',
    },
    'rugs-uncollected': {
      title: () => 'Rugs are ready, and nobody has collected them',
      advice: 'Remind the customer, or say on the order that they were handed over.',
    },
    'mail-undelivered': {
      title: () => 'An email waits for a decision',
      advice: 'Correct the reason and send it again, reach the person another way, or give it up.',
    },
    'books-differ': {
      title: () => 'The books differ',
      advice: 'The Books page lists each difference with what can be done about it.',
    },
    'clearing-alarm': { title: () => 'The money at Square needs a look', advice: '' },
    'verification-faults': {
      title: () => 'A check found that records may have been changed',
      advice: 'Please tell the person who runs the server. The page Books names what was found.',
    },
    'seal-refused': {
      title: () => 'New records are not protected against changes',
      advice: 'Please tell the person who runs the server. The page Books has the reason.',
    },
    'witness-late': {
      title: () => 'The daily proof of your records was not sent for more than a day',
      advice: 'Please tell the person who runs the server.',
    },
    'witness-missing': {
      title: () => 'Nobody outside the shop could prove your records',
      advice: 'Please ask the person who runs the server to send the daily proof to your accountant by mail.',
    },
    'list-incomplete': {
      title: () => 'A part of this list could not be read',
      advice: 'Something may be missing here. Please tell the person who runs the server.',
    },
    'job-late': {
      title: () => 'The server needs help',
      advice: 'Please tell the person who runs the server.',
    },
  } satisfies Record<AttentionKind, AttentionText> as Record<AttentionKind, AttentionText>,
} as const;

export const firstDayTexts = {
  heading: 'First day',
  done: (count: number, all: number) => `${count} of ${all} done`,
  hide: 'Hide this list',
  mark: 'Done',
  right: 'It is right as it is',
  rightOf: (step: string) => `It is right as it is: ${step}`,
  steps: {
    password: ['Choose a password of your own', 'Password'],
    shop: ['Enter your shop’s name and phone number', 'Name and phone'],
    sites: ['Enter the address of each place where customers bring rugs', 'Drop-off sites'],
    prices: ['Check what you charge for cleaning', 'Prices'],
    tax: ['Check the tax on add-ons', 'Sales tax'],
    terms: ['Write the terms that customers accept', 'Terms'],
    pickup: ['Say where and when you pick up rugs', 'Pickup'],
    order: ['Place a test order', 'Open the order form'],
    mail: ['Send yourself an email', 'Send me an email'],
  } satisfies Record<FirstDayStep, readonly [sentence: string, way: string]>,
  shopMissing: 'One of them is still missing. Customers look for both.',
  testCard:
    'Pay with the card 4111 1111 1111 1111, any expiration date in the future, CVV 111 and any ZIP code. No money moves.',
  ownCard: 'Pay with your own card. Refund the order afterwards: it is on the page Orders.',
  mailTo: (address: string) => `It goes to ${address}.`,
  noMails: 'Emails are not set up. The person who runs the server can do it.',
  withoutMails: 'Go on without emails',
  mailWaits: 'It is on its way.',
} as const;

export const owedTexts = {
  title: (amount: string) => `Has the customer got the ${amount}?`,
  answers: [
    ['check', 'Yes, by check'],
    ['cash', 'Yes, in cash'],
    ['bank-transfer', 'Yes, by bank transfer'],
    ['square', 'Yes, in the Square dashboard'],
    ['nothing', 'It is no longer owed'],
  ] satisfies readonly (readonly [ReimbursementMethod | 'square' | 'nothing', string])[],
  thenRecord: 'Next you record it on the order: the day, the number and the reason.',
  consequence: 'This line goes, and your answer is kept with your name. No money moves.',
  record: 'Go on to record it',
  reason: 'Why is it no longer owed?',
  reasons: [
    ['', 'Please choose'],
    ['AgreedWithCustomer', 'Agreed with the customer'],
    ['BookedByAccountant', 'Booked by the accountant outside Kilim'],
    ['TestPayment', 'A test payment'],
    ['TooSmall', 'Too small to pursue'],
  ] satisfies readonly (readonly [ResolutionReason | '', string])[],
  note: 'Note',
  noteHint: 'What happened? It becomes a note of the order.',
  noteOf: (amount: string, note: string) => `The failed refund of ${amount} is no longer owed: ${note}`,
  missingReason: 'Please choose a reason.',
  missingNote: 'Please write what happened.',
  save: 'Save answer',
  discard: 'Discard your answer?',
  done: 'The failed refund has left the list',
  failed: 'The answer could not be saved. Please try again.',
} as const;

export const todayTexts = {
  title: 'Today',
  loading: 'Loading today...',
  loadFailed: 'Today could not be loaded',
  inShop: 'Rugs in the shop',
  inStage: {
    received: (count: number) => `Received ${count.toLocaleString('en-US')}`,
    ready: (count: number) => `Ready ${count.toLocaleString('en-US')}`,
    asked: (count: number) => `Waiting for the customer ${count.toLocaleString('en-US')}`,
  },
  toCall: 'To call',
  toCallNote: 'Pickups of the last 60 days that have no agreed day.',
  nobody: 'Nobody to call.',
  coming: 'Coming and going today',
  nothingComing: 'No pickup is agreed for today.',
  tomorrow: (day: string) => `Tomorrow, ${day}`,
  windows: { morning: 'Morning', afternoon: 'Afternoon', evening: 'Evening' },
  print: 'Print',
  due: 'Due',
  dueNote: 'Rugs that are due within seven days.',
  nothingDue: 'No rug is due.',
  dueToday: 'Today',
  agree: 'Agree on a day',
  call: (phone: string) => `Call ${phone}`,
  callOf: (phone: string, name: string) => `Call ${phone}, ${name}`,
  order: (number: string) => `Order ${number}`,
  erased: 'Contact erased',
  rugs: (count: number) => `${count} ${count === 1 ? 'rug' : 'rugs'}`,
  rugsNotHere: (count: number) => `${count} ${count === 1 ? 'rug' : 'rugs'}, not here yet`,
  wish: (wish: string) => `Asked for: ${wish}`,
  driverNote: (note: string) => `For the driver: ${note}`,
  more: (count: number) => `and ${count.toLocaleString('en-US')} more`,
  day: 'Day',
  orderColumn: 'Order',
  customer: 'Customer',
  phone: 'Phone',
  tier: 'Service Tier',
  rugsColumn: 'Rugs',
  missing: '-',
  takings: (amount: string, orders: number) =>
    `${amount} from ${orders.toLocaleString('en-US')} ${orders === 1 ? 'order' : 'orders'}`,
  figures: (today: string, thisMonth: string) => `Today ${today}, this month ${thisMonth}.`,
  toMoney: 'Money by day and month',
} as const;
