import type { AccessPart } from '@kilim/domain/people/access';
import { unreachable } from '@kilim/domain/unreachable';
import type { AccessFault } from '../check-access.ts';
import type { ContactFault } from '../check-contacts.ts';
import type { RefundTextFault } from '../check-refund-texts.ts';
import type { Clue } from '../check-traces.ts';
import type { ProofFault } from '../prove.ts';

/** A sentence for a person: what is wrong and where. */
export function tellFault(fault: ProofFault): string {
  switch (fault.code) {
    case 'EventChanged':
      return `${fault.streamId}, version ${fault.version}: the event was changed; its hash differs.`;
    case 'ChainBroken':
      return `${fault.streamId}, version ${fault.version}: the event does not follow the one before it.`;
    case 'EventMissing':
      return `${fault.streamId}, version ${fault.version}: the event is missing.`;
    case 'ColumnDiffers':
      return `${fault.streamId}, version ${fault.version}: the amount in the column differs from the payload.`;
    case 'InstantImplausible':
      return `${fault.streamId}, version ${fault.version}: the instants of the event and of its recording cannot both be true.`;
    case 'RecordedOutOfOrder':
      return `${fault.streamId}, version ${fault.version}: it says that it was recorded before events that came before it.`;
    case 'ContactDiffers':
    case 'ContactMissing':
    case 'ContactUnexplained':
    case 'RefundTextDiffers':
    case 'RefundTextMissing':
      return tellTextFault(fault);
    case 'AccessDiffers':
    case 'AccessDiffered':
    case 'AccountUnexplained':
    case 'AccountMissing':
      return tellAccessFault(fault);
    case 'RowWithoutEvent':
      return `${fault.streamId}: ${fault.what} is there, but its event is not.`;
    case 'EventsOfCommandMissing':
      return `${fault.streamId}, versions ${fault.from} to ${fault.to}: not all events of a command exist.`;
    case 'EventWithoutCommand':
      return `${fault.streamId}, version ${fault.version}: no command wrote the event.`;
    case 'StreamEndMissing':
      return `${fault.streamId}, version ${fault.version}: the order's row knows the event, but the stream ends before it.`;
    case 'RangeDiffers':
      return `Checkpoint ${fault.sequence}: it sealed ${fault.sealed} events, but the ${fault.found} events in its range now differ.`;
    case 'PlacesDiffer':
      return `Checkpoint ${fault.sequence}: positions, transactions or request hashes in its range were changed.`;
    case 'MacsRemoved':
      return `Checkpoint ${fault.sequence}: ${fault.sealed} of its events had a MAC, but now ${fault.found} have one.`;
    case 'MacDiffers':
      return `${fault.streamId}, version ${fault.version}: no server with the key appended this event; its MAC differs.`;
    case 'MacOfAnotherKey':
      return `${fault.streamId}, version ${fault.version}: its MAC is of another key than that of the servers.`;
    case 'MacMissing':
      return `${fault.streamId}, version ${fault.version}: ${fault.events === 1 ? 'the event has' : `this event and the next ones, ${fault.events} in all, have`} no MAC, so no server with the key appended it.`;
    case 'CheckpointForged':
      return `Checkpoint ${fault.sequence}: its signature does not match this key.`;
    case 'CheckpointMissing':
      return `Checkpoint ${fault.sequence}: it is missing.`;
    case 'CheckpointDoesNotFollow':
      return `Checkpoint ${fault.sequence}: it does not begin where the one before it ends.`;
    case 'KeptCheckpointMissing':
      return `Checkpoint ${fault.sequence}: it is missing in the ledger, but ${fault.file} is a kept copy of it.`;
    case 'KeptCheckpointDiffers':
      return `Checkpoint ${fault.sequence}: the ledger has another checkpoint than the kept copy ${fault.file}.`;
    case 'KeptNoteForged':
      return `Checkpoint ${fault.sequence}: the signature in ${fault.file} does not match this key.`;
    case 'SchemaDiffers':
      return `The ${fault.object} is not as this release made it: ${fault.line}`;
    default:
      return unreachable(fault);
  }
}

function tellTextFault(fault: ContactFault | RefundTextFault): string {
  switch (fault.code) {
    case 'ContactDiffers':
      return `${fault.streamId}: the contact was changed; its digest differs from the order's.`;
    case 'ContactMissing':
      return `${fault.streamId}: the contact is missing, and no event says that it was erased.`;
    case 'ContactUnexplained':
      return `${fault.streamId}: there is a contact, but it was erased or never placed an order.`;
    case 'RefundTextDiffers':
      return `${fault.streamId}: the words about the refund ${fault.refundId} were changed; their digest differs from the event's.`;
    case 'RefundTextMissing':
      return `${fault.streamId}: the words about the refund ${fault.refundId} are missing, and no event says that they were erased.`;
    default:
      return unreachable(fault);
  }
}

function tellAccessFault(fault: AccessFault): string {
  switch (fault.code) {
    case 'AccessDiffers':
      return `The account ${fault.username}: without a command, ${namesOf(fault.parts)} changed since its last event.`;
    case 'AccessDiffered':
      return `${fault.streamId}, version ${fault.version}: without a command, ${namesOf(fault.parts)} changed before this event.`;
    case 'AccountUnexplained':
      return `The account ${fault.username}: no command created it.`;
    case 'AccountMissing':
      return `The account ${fault.username}: it is missing.`;
    default:
      return unreachable(fault);
  }
}

/** A clue needs a look and is no fault. */
export function tellClue(clue: Clue): string {
  switch (clue.code) {
    case 'OrderOnlyAtSquare':
      return `${clue.streamId}: Square has the payment ${clue.squarePaymentId} for this order, and the ledger has no such order. Its events are lost.`;
    case 'PositionsEmpty':
      return `Positions without an event after the last checkpoint: ${clue.count}. Appends that were rolled back or still run leave them, and deleted events, too: compare with Square (npm run reconcile).`;
    default:
      return unreachable(clue);
  }
}

const accessNames: Readonly<Record<AccessPart, string>> = {
  role: 'the role',
  state: 'the state',
  password: 'the hash of the password',
  passkeys: 'the passkeys',
  oneTimeCode: 'the authenticator app',
  recoveryCodes: 'the recovery codes',
  link: 'the link for a new password',
};

const inWords = new Intl.ListFormat('en', { type: 'conjunction' });

function namesOf(parts: readonly AccessPart[]): string {
  return inWords.format(parts.map((part) => accessNames[part]));
}
