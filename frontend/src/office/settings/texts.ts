import type { PickupWindow } from '@kilim/domain/contact';
import { type Cents, formatDollars } from '@kilim/domain/money';
import { decimalPercent, type Millipercent } from '@kilim/domain/percent';
import type { RugAddOn } from '@kilim/domain/rug';
import { settingsLimits } from '@kilim/domain/settings/settings';

const { shortestRetentionMonths, longestRetentionMonths } = settingsLimits;

export const settingsTexts = {
  title: 'Settings',
  index: 'Pages of the settings',
  toIndex: 'All settings',
  unknown: 'There are no such settings.',
  parts: {
    prices: 'Prices and features',
    'add-ons': 'Add-ons',
    sizes: 'Common sizes',
    pickup: 'Pickup and delivery',
    tax: 'Sales tax',
    shop: 'Name, phone and booking',
    sites: 'Drop-off sites',
    terms: 'Terms',
    comparison: 'Tier comparison',
    receiving: 'When rugs arrive',
    limits: 'Large orders and mails',
    contacts: 'Contacts of customers',
    history: 'History of the settings',
  },
  people: 'People and refund limits',
  security: 'Security log',
  note: 'Changes apply to new orders from the moment they are saved. A customer who is already at the checkout is shown the new total, and pays only after agreeing to it.',
  loading: 'Loading settings...',
  none: 'No settings found.',
  fetchFailed: 'Failed to fetch settings',
  prices: 'Prices',
  pricesNote: 'US dollars per square foot, without pickup. A rug costs at least the minimum of its tier.',
  amountProblem: (lowest: Cents, highest: Cents) =>
    `Please enter an amount from ${formatDollars(lowest)} to ${formatDollars(highest)} with at most two decimals`,
  addOns: 'Add-ons',
  addOnsNote:
    'US dollars per square foot; 0 makes an add-on free. Premium includes stain protection. Images are JPEG, PNG or WebP, at most 5 MB.',
  addOnNames: {
    stainProtection: 'Stain protection',
    greenPad: 'Green Pad',
    repairInspection: 'Repair inspection',
  } satisfies Record<RugAddOn, string>,
  repairIsFree: 'Always free.',
  pickup: 'Pickup and delivery',
  pickupNote:
    'Pickup costs this price for each square foot of the order. An order with pickup is topped up to the minimum; 0 means that there is none.',
  zipCodesHint:
    'Where you pick up rugs. Five digits, or the first three, such as 900, for all ZIP codes that begin with them. An empty box means everywhere.',
  pickupDays: 'Days and times you drive',
  pickupDaysNote: 'Customers choose among the next days that are ticked.',
  pickupDayWindow: (day: string, window: string) => `${day} ${window}`,
  pickupWindows: {
    morning: 'Morning',
    afternoon: 'Afternoon',
    evening: 'Evening',
  } satisfies Record<PickupWindow, string>,
  pickupsHint:
    'A day with that many paid pickups is not offered any more. Customers who have chosen the day before that may still pay. Empty means no limit.',
  closedDaysHint: 'One per line, such as 2026-12-25, or 2026-12-24 to 2026-12-26.',
  noPickupDay: 'Please tick at least one day',
  pickupsProblem: (most: number) => `Please enter a whole number from 1 to ${most}, or leave it empty`,
  closedDayProblem: (line: string) =>
    `“${line}” is not a day. Please write it like 2026-12-25, or 2026-12-24 to 2026-12-26`,
  tax: 'Sales tax',
  taxNote:
    'On add-ons only. A rate holds from its first day until the next one begins, at midnight in the shop. Enter a new rate ahead of time, and keep the old ones: orders keep the rate that they were placed with.',
  taxRates: 'Rates',
  taxPercent: (number: number) => `Rate ${number} in percent`,
  taxSince: (number: number) => `Rate ${number} begins on`,
  addTaxRate: 'Add a rate',
  removeTaxRate: (number: number) => `Remove rate ${number}`,
  taxToday: (percent: string) => `Today ${percent} % holds.`,
  taxLater: (percent: string, day: string) => `From ${day}: ${percent} %.`,
  percentProblem: (highest: Millipercent) =>
    `Please enter 0 to ${decimalPercent(highest)}, with at most three decimals`,
  dayProblem: 'Please choose the first day of this rate',
  dayRepeated: 'Another rate begins on this day',
  noTaxRate: 'Please enter at least one rate. Without a tax, enter 0 %.',
  noTaxRateToday: 'No rate holds today. Please keep the one that holds now.',
  presets: 'Common sizes',
  presetsNote: "Sizes that customers can choose with one press. One per line, such as 8 x 10 or 2'6\" x 8'.",
  presetsPreview: 'As customers see them',
  noPresets: 'No sizes are offered.',
  presetProblem: (line: string) => `“${line}” is not a size that can be ordered. Please write it like 8 x 10`,
  tooManyPresets: (most: number) => `At most ${most} sizes`,
  features: 'Features',
  featuresNote: 'One per line. The comparison shows the first three of each tier.',
  comparison: 'Tier comparison',
  comparisonNote: 'The rows of the comparison, and for which rugs each tier is recommended.',
  terms: 'Terms',
  termsNote:
    'Shown at the checkout. Headings, paragraphs, lists, emphasis and links are kept; anything else is taken out when you save.',
  termsPreview: 'Preview of the terms',
  termsEmpty: 'Without terms of your own, the checkout links to the built-in terms of service and privacy policy.',
  imageAlt: (name: string) => `${name}, as saved`,
  imageNone: 'No image',
  removeImage: (name: string) => `Remove ${name.toLowerCase()}`,
  uploading: (percent: number) => `Uploading, ${percent} %`,
  progressOf: (name: string) => `Upload of the ${name.toLowerCase()}`,
  uploaded: 'Uploaded. Save the settings to use it.',
  wrongType: 'Please choose a JPEG, PNG or WebP image.',
  tooLarge: 'This image is larger than 5 MB. Please choose a smaller one.',
  uploadFailed: 'The image could not be uploaded. Please try again.',
  largestOrder: 'Large orders',
  largestOrderNote: 'Customers whose order costs more cannot pay online. The form asks them to contact you.',
  notices: 'Mails to the shop',
  noticesNote:
    'The shop gets a mail when more than this is paid back, by card or another way, or given up. With $0.00 it gets one each time.',
  receiving: 'When rugs arrive',
  receivingNote:
    'Rugs are measured when they arrive. A smaller rug is refunded. For a larger one you can ask the customer for the difference, unless it is small. Customers read how you measure.',
  business: 'Business details',
  businessNote: 'On the pages and receipts of customers.',
  sites: 'Drop-off sites',
  sitesNote: 'On the home page, in the order form and on receipts. The link opens when a customer presses the name.',
  sitePart: {
    name: (number: number) => `Drop-off site ${number}`,
    note: (number: number) => `Drop-off site ${number} note`,
    address: (number: number) => `Drop-off site ${number} address`,
    hours: (number: number) => `Drop-off site ${number} hours`,
    link: (number: number) => `Drop-off site ${number} link`,
  },
  addSite: 'Add a drop-off site',
  remove: 'Remove',
  removeSite: (number: number) => `Remove drop-off site ${number}`,
  save: 'Save Settings',
  saving: 'Saving...',
  discard: 'Discard changes',
  unsaved: 'You have changes that are not saved.',
  leave: 'You have changes that are not saved. Leave without saving?',
  saved: { title: 'Settings Saved', description: 'Your settings have been successfully updated.' },
  failed: { title: 'Save Failed', description: 'There was an error saving your settings. Please try again.' },
  invalid: { title: 'Save Failed', description: 'Please check the fields that are named above the form.' },
  merged: (who: string) => ({
    title: 'Settings Saved',
    description: `${who} had saved other fields meanwhile. Both changes hold.`,
  }),
  somebody: 'Somebody',
  problems: 'Some fields need your attention',
  conflict: 'Settings were saved meanwhile',
  conflictText: (who: string, when: string) =>
    `${who} saved other settings${when === '' ? '' : ` at ${when}`}, after you had opened yours. Fields that were changed in one place only keep that change. Choose for the others which is right; then save.`,
  yours: 'Yours',
  theirs: 'Theirs',
  empty: '(empty)',
  useAndSave: 'Save with these choices',
  backToForm: 'Back to the form',
  history: 'History of the settings',
  historyNone: 'Nobody has changed the settings yet.',
  historyLoading: 'Loading the history...',
  historyFailed: 'The history could not be loaded',
  version: (version: number) => `Version ${version}`,
  password: 'Save Settings',
} as const;

/** The first one is the place's own address. */
export type SettingsPart = keyof typeof settingsTexts.parts;
export const settingsParts = Object.keys(settingsTexts.parts) as readonly SettingsPart[];

export const retentionTexts = {
  heading: 'Contacts of customers',
  note: 'Name, email, phone number and address of old orders, and the words of their refunds. Amounts and tax stay.',
  erase: 'Erase contacts when their order is old',
  months: 'Months after the last payment, refund or dispute',
  hint: `From ${shortestRetentionMonths} to ${longestRetentionMonths}. Erased contacts cannot be brought back.`,
  range: `Please enter whole months from ${shortestRetentionMonths} to ${longestRetentionMonths}`,
  save: 'Save period',
  saved: 'Period saved',
  password: 'Confirm who you are to change how long contacts are kept',
} as const;
