/** For every mail, or for the addresses below. */
export const mailFaults = ['hang', 'refuse-connections', 'busy', 'reject', 'lose-answers'] as const;
export type MailFault = (typeof mailFaults)[number];

/** Like test cards: `mail-busy@example.com`. */
export const faultyAddresses: readonly {
  readonly name: string;
  readonly fault: MailFault | 'refuse-address';
  readonly text: string;
}[] = [
  { name: 'mail-unknown', fault: 'refuse-address', text: 'refused for ever: 550 5.1.1, there is no such mailbox' },
  { name: 'mail-busy', fault: 'busy', text: 'refused for now: 451 4.3.0' },
  { name: 'mail-rejected', fault: 'reject', text: 'refused after its text: 554 5.7.1' },
  { name: 'mail-hangs', fault: 'hang', text: 'never answered' },
  { name: 'mail-lost', fault: 'lose-answers', text: 'taken once without an answer, then taken with one' },
];

export function faultOfAddress(address: string): MailFault | 'refuse-address' | undefined {
  return faultyAddresses.find(({ name }) => address.startsWith(`${name}@`))?.fault;
}
