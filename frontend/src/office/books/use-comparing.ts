import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { askForComparison, comparedAt, glanceQuery } from './books-calls.ts';

export type Comparing = ReturnType<typeof useComparing>;

/** The page stops waiting after this long. */
const patienceMilliseconds = 120_000;

type Asked = { readonly at: number; readonly before: string | undefined };

/** Finished when both results are newer than before the request. */
export function useComparing() {
  const { data, dataUpdatedAt } = useQuery(glanceQuery);
  const [asked, setAsked] = useState<Asked>();
  const { mutate, isPending, isError } = useMutation({
    mutationFn: askForComparison,
    onMutate: () => setAsked({ at: Date.now(), before: latest(data) }),
  });
  const isOpen = asked !== undefined && !isError && !isNewer(data, asked.before);
  const takesLong = isOpen && dataUpdatedAt - asked.at > patienceMilliseconds;
  return {
    isUnderWay: isPending || (isOpen && !takesLong),
    takesLong,
    hasFailed: isError,
    start: () => mutate(),
  };
}

type Data = Parameters<typeof comparedAt>[0];

function latest(data: Data): string | undefined {
  const times = [data?.comparison?.madeAt, data?.reconciliation?.madeAt].filter((time) => time !== undefined);
  return times.toSorted().at(-1);
}

function isNewer(data: Data, before: string | undefined): boolean {
  const at = comparedAt(data);
  return at !== undefined && (before === undefined || at > before);
}
