import type { Glance } from '@kilim/bff/contract/glance';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { glanceQuery } from './glance-query.ts';

export type Asked = ReturnType<typeof useAsked>;

/** The page stops waiting after this long. */
const patienceMilliseconds = 120_000;
const lookAgainMilliseconds = 2000;

type Work = {
  /** Starts work in the background. */
  readonly ask: () => Promise<void>;
  /** ISO 8601. Undefined: it was never done. */
  readonly doneAt: (glance: Glance) => string | undefined;
  /** The work is done when `doneAt` is later than this was before. Default: `doneAt`. */
  readonly latest?: (glance: Glance) => string | undefined;
};

/** Work that a person starts, and that ends when its result is newer than the one before. */
export function useAsked({ ask, doneAt, latest = doneAt }: Work) {
  const { data, dataUpdatedAt } = useQuery(glanceQuery);
  const [asked, setAsked] = useState<{ readonly at: number; readonly before: string | undefined }>();
  const { mutate, isPending, isError } = useMutation({
    mutationFn: ask,
    onMutate: () => setAsked({ at: Date.now(), before: data && latest(data) }),
  });
  const done = data && doneAt(data);
  const isDone = done !== undefined && (asked?.before === undefined || done > asked.before);
  const isOpen = asked !== undefined && !isError && !isDone;
  const takesLong = isOpen && dataUpdatedAt - asked.at > patienceMilliseconds;
  const isUnderWay = isPending || (isOpen && !takesLong);
  useQuery({ ...glanceQuery, refetchInterval: isUnderWay ? lookAgainMilliseconds : false });
  return { isUnderWay, takesLong, hasFailed: isError, start: () => mutate() };
}
