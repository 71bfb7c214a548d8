export type RequestLogEntry = {
  readonly at: string;
  readonly method: string;
  readonly path: string;
  readonly query: string;
  readonly body: unknown;
  /** `cut`: no complete answer was sent. */
  readonly status: number | 'cut';
  readonly fault: string | undefined;
};

export type RequestLog = ReturnType<typeof createRequestLog>;

const mostEntries = 5000;

export function createRequestLog(listener: ((entry: RequestLogEntry) => void) | undefined) {
  const entries: RequestLogEntry[] = [];
  return {
    add: (entry: RequestLogEntry) => {
      if (entries.length === mostEntries) entries.shift();
      entries.push(entry);
      listener?.(entry);
    },
    list: (): readonly RequestLogEntry[] => entries,
    clear: () => void entries.splice(0),
  };
}
