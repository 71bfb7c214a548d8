import * as z from 'zod/mini';

export function id<Id extends string>(parse: (text: string) => Id | undefined, message: string) {
  return z.codec(
    z.string(message),
    z.custom<Id>((value) => typeof value === 'string'),
    {
      decode: (text, payload) => {
        const parsed = parse(text);
        if (parsed !== undefined) return parsed;
        payload.issues.push({ code: 'custom', input: text, message });
        return z.NEVER;
      },
      encode: (parsed) => parsed,
    },
  );
}
