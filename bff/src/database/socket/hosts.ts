/** Where a database server listens. */
export type Address = { readonly host: string; readonly port: number } | { readonly path: string };

/** The servers of one pool, all of whose connections go to the same one for as long as it works. */
export type Hosts = {
  readonly isOnlyOne: boolean;
  /** The current host, or the next one that may be tried now, which is then the current one. */
  readonly next: () => Address | undefined;
  readonly avoid: (address: Address, milliseconds: number) => void;
};

export function createHosts(addresses: readonly Address[]): Hosts {
  const avoidedUntil = new Map<Address, number>();
  let current = 0;
  const mayTry = (address: Address) => (avoidedUntil.get(address) ?? 0) <= performance.now();
  return {
    isOnlyOne: addresses.length === 1,
    next: () => {
      for (let tried = 0; tried < addresses.length; tried += 1) {
        const index = (current + tried) % addresses.length;
        const address = addresses[index];
        if (address === undefined || !mayTry(address)) continue;
        current = index;
        return address;
      }
      return undefined;
    },
    avoid: (address, milliseconds) => {
      if (addresses.length > 1) avoidedUntil.set(address, performance.now() + milliseconds);
    },
  };
}

/** The hosts that an address names before its database, as postgres.js reads them. */
export function hostsOf(url: string): readonly string[] {
  const [, authority = ''] = /^[^:]+:\/\/([^/?]*)/.exec(url) ?? [];
  return decodeURIComponent(authority.slice(authority.lastIndexOf('@') + 1)).split(',');
}

/** @param hosts as in an address: `db1:5432`. */
export function addressesOf(hosts: readonly string[]): readonly Address[] {
  const [, firstPort = '5432'] = (hosts[0] ?? '').split(':');
  return hosts.map((named) => {
    const [host = '', port = firstPort] = named.split(':');
    return { host, port: Number(port) };
  });
}

/** Whether a server is what `target_session_attrs` asks for, by what it says of itself when a session begins. */
export function suits(wanted: string | null | undefined, parameters: ReadonlyMap<string, string>): boolean {
  const isStandby = parameters.get('in_hot_standby');
  const isReadOnly = parameters.get('default_transaction_read_only');
  // Servers before PostgreSQL 14 do not say; postgres.js asks them.
  if (isStandby === undefined || isReadOnly === undefined) return true;
  switch (wanted) {
    case 'primary':
      return isStandby === 'off';
    case 'standby':
    case 'prefer-standby':
      return isStandby === 'on';
    case 'read-write':
      return isReadOnly === 'off';
    case 'read-only':
      return isReadOnly === 'on';
    default:
      return true;
  }
}
