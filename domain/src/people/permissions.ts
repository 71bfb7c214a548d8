export const roles = ['owner', 'clerk', 'accountant'] as const;
export type Role = (typeof roles)[number];

export type Right = {
  readonly roles: readonly Role[];
  /** Continues a sentence: "Only owners can ...". */
  readonly action: string;
  /** The person must have proven who they are within the last ten minutes. */
  readonly needsRecentProof: boolean;
  /** Usable before a first or reset password is replaced. */
  readonly whilePasswordIsTemporary?: true;
  /** Usable before a required second factor is added. */
  readonly withoutSecondFactor?: true;
};

const everyone = roles;
const sales = ['owner', 'clerk'] as const;
const accounting = ['owner', 'accountant'] as const;
const owners = ['owner'] as const;

/** The guards of the server, the screens, the API description and docs/people.md derive from this table. */
export const permissions = {
  useOwnAccount: {
    roles: everyone,
    action: 'use their own account and change its password',
    needsRecentProof: false,
    whilePasswordIsTemporary: true,
    withoutSecondFactor: true,
  },
  changeOwnSecondFactor: {
    roles: everyone,
    action: 'change their own second factor',
    needsRecentProof: true,
    withoutSecondFactor: true,
  },
  changeOwnName: { roles: everyone, action: 'change their own name', needsRecentProof: false },
  changeOwnEmail: { roles: everyone, action: 'change where mails about their account go', needsRecentProof: true },
  endOwnSessions: { roles: everyone, action: 'end their own sessions', needsRecentProof: true },
  readNames: { roles: everyone, action: 'see the names of people', needsRecentProof: false },
  readOrders: { roles: everyone, action: 'see orders and refunds', needsRecentProof: false },
  readStatistics: { roles: everyone, action: 'see takings', needsRecentProof: false },
  readContacts: { roles: sales, action: 'see and search the contacts of customers', needsRecentProof: false },
  refund: { roles: sales, action: 'refund payments', needsRecentProof: true },
  readRefundAllowance: { roles: sales, action: 'see how much they can refund today', needsRecentProof: false },
  writeNotes: {
    roles: sales,
    action: 'write and delete notes about orders, and agree on pickups',
    needsRecentProof: false,
  },
  receiveRugs: {
    roles: sales,
    action: 'measure rugs, ask for differences and say that rugs are ready',
    needsRecentProof: false,
  },
  retryWork: { roles: sales, action: 'try work again that waits for a person', needsRecentProof: false },
  eraseContact: { roles: owners, action: 'erase the contacts of customers', needsRecentProof: true },
  readBooks: { roles: accounting, action: 'see and compare the books', needsRecentProof: false },
  explainDifferences: { roles: accounting, action: 'mark differences as explained', needsRecentProof: true },
  bookDifferences: {
    roles: accounting,
    action: 'book differences and correct what refunds were for',
    needsRecentProof: true,
  },
  refundOrphans: { roles: owners, action: 'refund payments without an order', needsRecentProof: true },
  closePeriods: { roles: accounting, action: 'close periods', needsRecentProof: true },
  reopenPeriods: { roles: owners, action: 'reopen closed periods', needsRecentProof: true },
  nameAccounts: { roles: accounting, action: 'name the accounts of the chart', needsRecentProof: true },
  export: { roles: accounting, action: 'download exports', needsRecentProof: false },
  manageTokens: { roles: accounting, action: 'list and revoke export tokens', needsRecentProof: false },
  createTokens: { roles: accounting, action: 'create export tokens', needsRecentProof: true },
  readSettings: { roles: owners, action: 'see the settings', needsRecentProof: false },
  changeSettings: { roles: owners, action: 'change the settings', needsRecentProof: true },
  uploadImages: { roles: owners, action: 'upload images', needsRecentProof: false },
  readPeople: { roles: owners, action: 'see the accounts of people', needsRecentProof: false },
  readSecurityLog: { roles: owners, action: 'see the security log', needsRecentProof: false },
  managePeople: { roles: owners, action: 'invite people and change their accounts', needsRecentProof: true },
} as const satisfies Readonly<Record<string, Right>>;

export type Permission = keyof typeof permissions;

export function may(role: Role, permission: Permission): boolean {
  const allowed: readonly Role[] = permissions[permission].roles;
  return allowed.includes(role);
}

export function isRole(text: string): text is Role {
  return roles.some((role) => role === text);
}

/** `owners and clerks` */
export function rolesText(permission: Permission): string {
  const allowed: readonly Role[] = permissions[permission].roles;
  if (allowed.length === roles.length) return 'everyone';
  return allowed.map((role) => `${role}s`).join(' and ');
}

export function notPermittedText(role: Role, permission: Permission): string {
  const article = /^[aeiou]/.test(role) ? 'an' : 'a';
  return `Only ${rolesText(permission)} can ${permissions[permission].action}, and you are ${article} ${role}.`;
}
