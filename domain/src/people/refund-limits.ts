import { type Cents, cents, largerOf, noCents, smallerOf } from '../money.ts';
import { permissions, type Role } from './permissions.ts';

export const refundingRoles = permissions.refund.roles;
export type RefundingRole = (typeof refundingRoles)[number];

/** From the smallest to the largest. */
export const refundLimitNames = ['perRefund', 'perPersonAndDay', 'perShopAndDay'] as const;
export type RefundLimitName = (typeof refundLimitNames)[number];

/**
 * The most with one refund, with all refunds of one person on a business day, and with all refunds of the others on it.
 */
export type RefundLimit = Readonly<Record<RefundLimitName, Cents>>;
export type RefundLimits = Readonly<Record<RefundingRole, RefundLimit>>;

/** Enough for every order; a day of a stolen session costs at most 20,000 dollars. */
export const builtInRefundLimits: RefundLimits = {
  owner: { perRefund: cents(1_000_000), perPersonAndDay: cents(2_000_000), perShopAndDay: cents(4_000_000) },
  clerk: { perRefund: cents(50_000), perPersonAndDay: cents(150_000), perShopAndDay: cents(500_000) },
};

const highestRefundLimit = cents(100_000_000);

export type UnacceptableLimit = {
  readonly code:
    | 'LimitOutOfRange'
    /** It is smaller than the one before it, and would hide it. */
    | 'LimitsOutOfOrder';
  readonly role: RefundingRole;
  readonly limit: RefundLimitName;
};

export function checkLimits(limits: RefundLimits): UnacceptableLimit | undefined {
  for (const role of refundingRoles) {
    let smallest: Cents = cents(1);
    for (const limit of refundLimitNames) {
      const value = limits[role][limit];
      if (value < 1 || value > highestRefundLimit) return { code: 'LimitOutOfRange', role, limit };
      if (value < smallest) return { code: 'LimitsOutOfOrder', role, limit };
      smallest = value;
    }
  }
  return undefined;
}

/** The lower of each two limits. */
export function lowerLimits(one: RefundLimits, other: RefundLimits): RefundLimits {
  const lower = (role: RefundingRole, limit: RefundLimitName) => smallerOf(one[role][limit], other[role][limit]);
  const ofRole = (role: RefundingRole): RefundLimit => ({
    perRefund: lower(role, 'perRefund'),
    perPersonAndDay: lower(role, 'perPersonAndDay'),
    perShopAndDay: lower(role, 'perShopAndDay'),
  });
  return { owner: ofRole('owner'), clerk: ofRole('clerk') };
}

/** Only a higher limit needs a new proof of the person. */
export function raisesLimits(before: RefundLimits, after: RefundLimits): boolean {
  return refundingRoles.some((role) => refundLimitNames.some((limit) => after[role][limit] > before[role][limit]));
}

/** Pending and completed refunds of one business day. */
export type RefundedToday = { readonly byPerson: Cents; readonly byAll: Cents };

export type ReachedLimit = {
  readonly limit: RefundLimitName;
  readonly most: Cents;
  readonly used: Cents;
};

/** Undefined when the amount is within all limits. */
export function reachedLimit(limit: RefundLimit, amount: Cents, today: RefundedToday): ReachedLimit | undefined {
  const used = { perRefund: noCents, perPersonAndDay: today.byPerson, perShopAndDay: today.byAll };
  const reached = refundLimitNames.find((name) => used[name] + amount > limit[name]);
  return reached === undefined ? undefined : { limit: reached, most: limit[reached], used: used[reached] };
}

/** Zero when a limit of the day is used up. */
export function allowedNow(limit: RefundLimit, { byPerson, byAll }: RefundedToday): Cents {
  const ofDay = smallerOf(cents(limit.perPersonAndDay - byPerson), cents(limit.perShopAndDay - byAll));
  return largerOf(smallerOf(limit.perRefund, ofDay), noCents);
}

export function isRefundingRole(role: Role): role is RefundingRole {
  return refundingRoles.some((refunding) => refunding === role);
}

export type OtherPerson = { readonly displayName: string; readonly role: Role; readonly refundedToday: Cents };

export function approversOf(
  limits: RefundLimits,
  { amount, byAll }: { readonly amount: Cents; readonly byAll: Cents },
  others: readonly OtherPerson[],
): readonly string[] {
  return others
    .filter(
      ({ role, refundedToday: byPerson }) =>
        isRefundingRole(role) && reachedLimit(limits[role], amount, { byPerson, byAll }) === undefined,
    )
    .map(({ displayName }) => displayName);
}
