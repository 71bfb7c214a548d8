import { unreachable } from '@kilim/domain/unreachable';
import type { KeptNoteFault } from '../../ledger/proof/kept-notes.ts';
import type { LedgerFault } from '../../ledger/proof/verify.ts';

/** One sentence for a person, who has to find the place. */
export function tellFault(fault: LedgerFault | KeptNoteFault): string {
  switch (fault.code) {
    case 'EventChanged':
      return `${fault.streamId}, version ${fault.version}: the event was changed; its hash is another one.`;
    case 'ChainBroken':
      return `${fault.streamId}, version ${fault.version}: the event does not follow the one before it.`;
    case 'EventMissing':
      return `${fault.streamId}, version ${fault.version}: the event is missing.`;
    case 'ColumnDiffers':
      return `${fault.streamId}, version ${fault.version}: the amount in its column is not the one in its payload.`;
    case 'EventsOfCommandMissing':
      return `${fault.streamId}, versions ${fault.from} to ${fault.to}: a command wrote them, and they are not all there.`;
    case 'EventWithoutCommand':
      return `${fault.streamId}, version ${fault.version}: no command wrote the event.`;
    case 'StreamEndMissing':
      return `${fault.streamId}, version ${fault.version}: the order's row knows the event, and its stream ends before it.`;
    case 'RangeDiffers':
      return `Checkpoint ${fault.sequence}: it sealed ${fault.sealed} events, and what stands there now, ${fault.found} events, is something else.`;
    case 'CheckpointForged':
      return `Checkpoint ${fault.sequence}: it is not what was signed with this key.`;
    case 'CheckpointMissing':
      return `Checkpoint ${fault.sequence}: it is missing.`;
    case 'CheckpointDoesNotFollow':
      return `Checkpoint ${fault.sequence}: it does not begin where the one before it ends.`;
    case 'KeptCheckpointMissing':
      return `Checkpoint ${fault.sequence}: ${fault.file} was kept of it, and the ledger has it no more.`;
    case 'KeptCheckpointDiffers':
      return `Checkpoint ${fault.sequence}: ${fault.file} was kept of it, and the ledger has another one in its place.`;
    case 'KeptNoteForged':
      return `Checkpoint ${fault.sequence}: ${fault.file} is not signed with this key.`;
    default:
      return unreachable(fault);
  }
}
