// Of data that a change in another tab can make stale.

/** A refund changes orders, refunds and figures. */
export const moneyKey = ['admin', 'money'] as const;
export const booksKey = ['admin', 'books'] as const;
export const payoutsKey = ['admin', 'payouts'] as const;
/** Asked for every few seconds: whether the server answers. */
export const changesKey = ['admin', 'changes'] as const;
export const peopleKey = ['admin', 'people'] as const;
