const errorResponse = 0x45;
const headerBytes = 5;
/** A longer message is passed on as it arrives. */
const longestErrorBytes = 65_536;

/**
 * Passes each error message on as a whole: a connection must end at some errors before postgres.js has seen any part of
 * them.
 */
export function createErrorCollector(): (received: Buffer) => Buffer {
  let kept: Buffer = Buffer.alloc(0);
  let leftBytes = 0;
  return (received) => {
    const bytes = kept.length === 0 ? received : Buffer.concat([kept, received]);
    let at = Math.min(leftBytes, bytes.length);
    leftBytes -= at;
    while (at + headerBytes <= bytes.length) {
      const length = 1 + bytes.readInt32BE(at + 1);
      const missing = at + length - bytes.length;
      if (missing > 0 && bytes[at] === errorResponse && length <= longestErrorBytes) break;
      leftBytes = Math.max(0, missing);
      at = Math.min(at + length, bytes.length);
    }
    kept = bytes.subarray(at);
    return bytes.subarray(0, at);
  };
}
