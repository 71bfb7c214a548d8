export type Bytes = { readonly buffer: Buffer; readonly at: number; readonly end: number };

export function bytesOf(text: string): Bytes {
  const buffer = Buffer.from(text);
  return { buffer, at: 0, end: buffer.length };
}

export function textOf({ buffer, at, end }: Bytes): string {
  return buffer.toString('utf8', at, end);
}
