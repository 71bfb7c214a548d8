import { unreachable } from '@kilim/domain/unreachable';
import type { KeptNoteFault } from '../../ledger/proof/kept-notes.ts';
import type { LedgerFault } from '../../ledger/proof/verify.ts';

/** One sentence that tells a person what is wrong and where. */
export function tellFault(fault: LedgerFault | KeptNoteFault): string {
  switch (fault.code) {
    case 'EventChanged':
      return `${fault.streamId}, version ${fault.version}: the event was changed; its hash differs.`;
    case 'ChainBroken':
      return `${fault.streamId}, version ${fault.version}: the event does not follow the one before it.`;
    case 'EventMissing':
      return `${fault.streamId}, version ${fault.version}: the event is missing.`;
    case 'ColumnDiffers':
      return `${fault.streamId}, version ${fault.version}: the amount in the column differs from the payload.`;
    case 'EventsOfCommandMissing':
      return `${fault.streamId}, versions ${fault.from} to ${fault.to}: not all events of a command exist.`;
    case 'EventWithoutCommand':
      return `${fault.streamId}, version ${fault.version}: no command wrote the event.`;
    case 'StreamEndMissing':
      return `${fault.streamId}, version ${fault.version}: the order's row knows the event, but the stream ends before it.`;
    case 'RangeDiffers':
      return `Checkpoint ${fault.sequence}: it sealed ${fault.sealed} events, but the ${fault.found} events in its range now differ.`;
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
    default:
      return unreachable(fault);
  }
}
