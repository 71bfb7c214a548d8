import type { AdminEvent, LinkPurpose } from './people.ts';
import type { Role } from './permissions.ts';
import type { SecondFactorKind } from './second-factor.ts';

export type SignInMethod = 'password' | 'password-and-code' | 'passkey';

export type FactorStep = 'sign-in' | 'proof' | 'enrolment';

/** `creator`: the account that made the token is not active. */
export type TokenRefusal = 'revoked' | 'expired' | 'creator';

/** Has no facts about customers, except the id of an order. */
export type SecurityEvent =
  | { readonly kind: 'signed-in'; readonly method: SignInMethod; readonly newBrowser: boolean }
  | { readonly kind: 'sign-in-failed' }
  | { readonly kind: 'sign-in-throttled'; readonly seconds: number }
  /** Proven again, before a refund for example. */
  | { readonly kind: 'proof-given'; readonly method: SignInMethod }
  | { readonly kind: 'proof-failed' }
  | {
      readonly kind: 'second-factor-failed';
      readonly factor: SecondFactorKind;
      readonly step: FactorStep;
      /** The code was not tried, because there were too many before. */
      readonly throttled: boolean;
    }
  | { readonly kind: 'recovery-code-used' }
  | { readonly kind: 'signed-out' }
  | { readonly kind: 'session-ended'; readonly all: boolean }
  | { readonly kind: 'password-changed'; readonly endedSessions: number }
  | { readonly kind: 'password-reset'; readonly endedSessions: number }
  | { readonly kind: 'password-stolen' }
  /** The address itself is not in the log. */
  | { readonly kind: 'email-changed'; readonly removed: boolean }
  | { readonly kind: 'invitation-made'; readonly role: Role }
  | { readonly kind: 'link-made'; readonly purpose: LinkPurpose }
  | { readonly kind: 'invitation-used' }
  | { readonly kind: 'role-changed'; readonly from: Role; readonly to: Role; readonly endedSessions: number }
  | { readonly kind: 'account-disabled'; readonly endedSessions: number; readonly revokedTokens: number }
  | { readonly kind: 'account-enabled' }
  | { readonly kind: 'second-factor-added'; readonly factor: SecondFactorKind }
  | { readonly kind: 'second-factor-removed'; readonly factor: SecondFactorKind }
  | { readonly kind: 'second-factor-reset'; readonly endedSessions: number }
  | { readonly kind: 'recovery-codes-made'; readonly count: number }
  | { readonly kind: 'token-created'; readonly token: string }
  | { readonly kind: 'token-revoked'; readonly token: string }
  | { readonly kind: 'token-refused'; readonly token: string; readonly reason: TokenRefusal }
  | {
      readonly kind: 'export-downloaded';
      readonly format: string;
      readonly from: string;
      readonly to: string;
      /** Null for a person. */
      readonly token: string | null;
    }
  /** A list with the contacts of customers. */
  | { readonly kind: 'orders-downloaded' }
  | { readonly kind: 'contact-erased'; readonly order: string }
  /** @param limit continues 'Reached the limit ...': 'on refunds of one person and day'. */
  | { readonly kind: 'limit-reached'; readonly limit: string };

export type SecurityKind = SecurityEvent['kind'];

/** A server of the next release may have written other facts. */
export type SecurityDetail = Readonly<Record<string, unknown>>;

/** A name for filters, and a sentence without its subject. */
const descriptions = {
  'signed-in': {
    name: 'Signed in',
    sentence: ({ method, newBrowser }) =>
      `Signed in with ${methodText(method)}${newBrowser === true ? ' in a new browser' : ''}`,
  },
  'sign-in-failed': { name: 'Sign-in failed', sentence: () => 'Failed to sign in: wrong name or password' },
  'sign-in-throttled': {
    name: 'Sign-in delayed',
    sentence: ({ seconds }) => `Had to wait ${amount(seconds, 'second')} after too many attempts to sign in`,
  },
  'proof-given': { name: 'Identity confirmed', sentence: ({ method }) => `Confirmed with ${methodText(method)}` },
  'proof-failed': { name: 'Confirmation failed', sentence: () => 'Failed to confirm: wrong password' },
  'second-factor-failed': { name: 'Second factor failed', sentence: factorFailure },
  'recovery-code-used': { name: 'Recovery code used', sentence: () => 'Used a recovery code' },
  'signed-out': { name: 'Signed out', sentence: () => 'Signed out' },
  'session-ended': {
    name: 'Session ended',
    sentence: ({ all }) =>
      all === true ? 'Ended all sessions of the account' : 'Ended another session of the account',
  },
  'password-changed': { name: 'Password changed', sentence: (facts) => `Changed the password${ended(facts)}` },
  'password-reset': { name: 'Password reset', sentence: (facts) => `Password reset${ended(facts)}` },
  'password-stolen': {
    name: 'Stolen password refused',
    sentence: () => 'Tried to choose a password that is in a list of stolen passwords',
  },
  'email-changed': {
    name: 'Email changed',
    sentence: ({ removed }) =>
      `${removed === true ? 'Removed' : 'Changed'} the email address to which messages about the account go`,
  },
  'invitation-made': { name: 'Invitation made', sentence: ({ role }) => `Invited as ${text(role)}` },
  'link-made': {
    name: 'Link made',
    sentence: ({ purpose }) => (purpose === 'invitation' ? 'Got another invitation' : 'Got a link for a new password'),
  },
  'invitation-used': { name: 'Invitation used', sentence: () => 'Used the invitation and chose a password' },
  'role-changed': {
    name: 'Role changed',
    sentence: (facts) => `Role changed from ${text(facts['from'])} to ${text(facts['to'])}${ended(facts)}`,
  },
  'account-disabled': { name: 'Account disabled', sentence: (facts) => `Account disabled${ended(facts)}` },
  'account-enabled': { name: 'Account enabled', sentence: () => 'Account enabled' },
  'second-factor-added': { name: 'Second factor added', sentence: ({ factor }) => `Added ${factorText(factor)}` },
  'second-factor-removed': { name: 'Second factor removed', sentence: ({ factor }) => `Removed ${factorText(factor)}` },
  'second-factor-reset': {
    name: 'Second factor reset',
    sentence: (facts) => `All second factors removed${ended(facts)}`,
  },
  'recovery-codes-made': {
    name: 'Recovery codes made',
    sentence: ({ count }) => `Got ${amount(count, 'new recovery code')}`,
  },
  'token-created': {
    name: 'Export token created',
    sentence: ({ token }) => `Created the export token “${text(token)}”`,
  },
  'token-revoked': {
    name: 'Export token revoked',
    sentence: ({ token }) => `Revoked the export token “${text(token)}”`,
  },
  'token-refused': {
    name: 'Export token refused',
    sentence: ({ token, reason }) =>
      `The export token “${text(token)}” was used ${tokenRefusals[reason as TokenRefusal] ?? 'after it had ended'}`,
  },
  'export-downloaded': { name: 'Export downloaded', sentence: download },
  'orders-downloaded': { name: 'Orders downloaded', sentence: () => 'Downloaded a list of orders' },
  'contact-erased': {
    name: 'Contact erased',
    sentence: ({ order }) => `Erased the contact of the customer of order ${text(order)}`,
  },
  'limit-reached': { name: 'Limit reached', sentence: ({ limit }) => `Reached the limit ${text(limit)}` },
} satisfies Readonly<
  Record<SecurityKind, { readonly name: string; readonly sentence: (facts: SecurityDetail) => string }>
>;

export const securityKinds = Object.keys(descriptions) as readonly SecurityKind[];

export function isSecurityKind(kind: string): kind is SecurityKind {
  return Object.hasOwn(descriptions, kind);
}

/** A few words for a filter: `Sign-in failed`. */
export function securityKindName(kind: SecurityKind): string {
  return descriptions[kind].name;
}

/** Without the person. The kind itself stands for one that a later release wrote. */
export function securitySentence(kind: string, facts: SecurityDetail): string {
  return isSecurityKind(kind) ? descriptions[kind].sentence(facts) : kind.replaceAll('-', ' ');
}

/** An operator's log has them at the level warn. */
const alarming: ReadonlySet<SecurityKind> = new Set([
  'sign-in-failed',
  'sign-in-throttled',
  'proof-failed',
  'second-factor-failed',
  'recovery-code-used',
  'password-stolen',
  'second-factor-reset',
  'token-refused',
  'limit-reached',
]);

export function isAlarming(kind: string): boolean {
  return isSecurityKind(kind) && alarming.has(kind);
}

/** The ledger records the change too. */
export function securityEventOf(event: AdminEvent): SecurityEvent {
  switch (event.type) {
    case 'PasswordChanged': {
      const { how, endedSessions } = event;
      return { kind: how === 'changed' ? 'password-changed' : 'password-reset', endedSessions };
    }
    case 'AccountInvited':
      return { kind: 'invitation-made', role: event.role };
    case 'PasswordLinkIssued':
      return { kind: 'link-made', purpose: event.purpose };
    case 'AccountActivated':
      return { kind: 'invitation-used' };
    case 'RoleChanged': {
      const { from, to, endedSessions } = event;
      return { kind: 'role-changed', from, to, endedSessions };
    }
    case 'AccountDisabled': {
      const { endedSessions, revokedTokens } = event;
      return { kind: 'account-disabled', endedSessions, revokedTokens };
    }
    case 'AccountEnabled':
      return { kind: 'account-enabled' };
    case 'SecondFactorAdded':
      return { kind: 'second-factor-added', factor: event.kind };
    case 'SecondFactorRemoved':
      return { kind: 'second-factor-removed', factor: event.kind };
    case 'SecondFactorReset':
      return { kind: 'second-factor-reset', endedSessions: event.endedSessions };
    case 'RecoveryCodesMade':
      return { kind: 'recovery-codes-made', count: event.count };
  }
}

function methodText(method: unknown): string {
  if (method === 'passkey') return 'a passkey';
  return method === 'password-and-code' ? 'password and code' : 'the password';
}

function factorText(factor: unknown): string {
  return factor === 'passkey' ? 'a passkey' : 'an authenticator app';
}

const steps: Readonly<Record<FactorStep, string>> = {
  'sign-in': 'at sign-in',
  proof: 'to confirm',
  enrolment: 'while adding it',
};

const tokenRefusals: Readonly<Record<TokenRefusal, string>> = {
  revoked: 'after it was revoked',
  expired: 'after it expired',
  creator: 'while the account was not active',
};

function factorFailure({ factor, step, throttled }: SecurityDetail): string {
  const where = steps[step as FactorStep] ?? steps['sign-in'];
  if (throttled === true) return `Had to wait after too many wrong codes ${where}`;
  return `Gave a wrong ${factor === 'passkey' ? 'passkey' : 'code'} ${where}`;
}

function download({ format, from, to, token }: SecurityDetail): string {
  const by = typeof token === 'string' ? ` with the export token “${token}”` : '';
  return `Downloaded the export ${text(format)} from ${text(from)} to ${text(to)}${by}`;
}

/** `; 2 sessions ended`, or nothing. */
function ended({ endedSessions }: SecurityDetail): string {
  return typeof endedSessions === 'number' && endedSessions > 0 ? `; ${amount(endedSessions, 'session')} ended` : '';
}

function amount(count: unknown, unit: string): string {
  return `${text(count)} ${unit}${count === 1 ? '' : 's'}`;
}

function text(fact: unknown): string {
  return typeof fact === 'string' || typeof fact === 'number' ? String(fact) : '?';
}
