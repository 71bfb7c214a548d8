import { may, type Permission, type Role } from '@kilim/domain/people/permissions';

/** The first part of an address below `/admin`. */
const permissionOf = {
  today: 'readOrders',
  orders: 'readOrders',
  refunds: 'readOrders',
  money: 'readBooks',
  payouts: 'readBooks',
  reports: 'export',
  accounting: 'export',
  books: 'readBooks',
  settings: 'readSettings',
  people: 'readPeople',
  security: 'readSecurityLog',
  password: 'useOwnAccount',
} as const satisfies Record<string, Permission>;
export type PageName = keyof typeof permissionOf;

/** A place opens with the first page that the person may open. */
const pagesOf = {
  today: ['today'],
  orders: ['orders'],
  refunds: ['refunds'],
  money: ['money', 'payouts', 'accounting', 'reports', 'books'],
  settings: ['settings', 'people', 'security'],
  password: ['password'],
} as const satisfies Record<string, readonly PageName[]>;
export type PlaceName = keyof typeof pagesOf;

/** These pages lead to each other. */
export const forAccountant = ['accounting', 'reports', 'books'] as const satisfies readonly PageName[];

const places = Object.keys(pagesOf) as readonly PlaceName[];

export type Place = { readonly name: PlaceName; readonly pages: readonly PageName[] };

/** Those that the role may open. A typed address keeps its own place, and its page says who can open it. */
export function placesFor(role: Role, current: PageName | undefined): readonly Place[] {
  return places
    .map((name) => ({
      name,
      pages: pagesOf[name].filter((page) => page === current || may(role, permissionOf[page])),
    }))
    .filter(({ pages }) => pages.length > 0);
}

/** Undefined for an address that does not exist. */
export function pageOf(pathname: string): PageName | undefined {
  const [, , page = ''] = pathname.split('/');
  return Object.hasOwn(permissionOf, page) ? (page as PageName) : undefined;
}

export function placeOf(page: PageName | undefined): PlaceName | undefined {
  return places.find((name) => pagesOf[name].some((each) => each === page));
}

export function permissionFor(page: PageName | undefined): Permission {
  return page === undefined ? 'useOwnAccount' : permissionOf[page];
}
