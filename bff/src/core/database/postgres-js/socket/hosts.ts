export type Address = { readonly host: string; readonly port: number } | { readonly path: string };

/** All connections use the same server while it works. */
export type Hosts = {
  readonly isOnlyOne: boolean;
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

export function suits(wanted: string | null | undefined, parameters: ReadonlyMap<string, string>): boolean {
  const isStandby = parameters.get('in_hot_standby');
  const isReadOnly = parameters.get('default_transaction_read_only');
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
