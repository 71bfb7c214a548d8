import type { Books } from '@kilim/bff/contract/books';
import { type QueryClient, useMutation, useQueryClient } from '@tanstack/react-query';
import { Alert, Button } from 'antd';
import { classNames } from '../../shared/ui/class-names.ts';
import { fullDayText } from '../shared/accounting/day-range.ts';
import { Badge, type BadgeTone } from '../shared/ui/badge.tsx';
import cards from '../shared/ui/card.module.css';
import { Dialog } from '../shared/ui/dialog.tsx';
import { OpenButton } from '../shared/ui/dialog-buttons.tsx';
import { Field } from '../shared/ui/field.tsx';
import styles from './accounting.module.css';
import { certificateQuery } from './accounting-calls.ts';
import { type FileVerdict, judgeFile, readChosen } from './check-files.ts';
import { checkFilesTexts } from './closing-texts.ts';

type Closing = Books['closings'][number];
type CheckFilesProps = { readonly closing: Closing; readonly closings: readonly Closing[] };

/** Whether downloaded files are those of the certificate. They stay on the device. */
export function CheckFilesButton({ closing, closings }: CheckFilesProps) {
  const day = fullDayText(closing.through);
  return (
    <OpenButton text={checkFilesTexts.button} label={checkFilesTexts.open(day)}>
      {(close) => (
        <Dialog title={checkFilesTexts.title(day)} onClose={close}>
          <CheckFiles closing={closing} closings={closings} />
          <div className={cards.buttons}>
            <Button onClick={close}>{checkFilesTexts.close}</Button>
          </div>
        </Dialog>
      )}
    </OpenButton>
  );
}

function CheckFiles({ closing, closings }: CheckFilesProps) {
  const queryClient = useQueryClient();
  const { mutate, data, isPending, isError } = useMutation({
    mutationFn: (files: readonly File[]) => judgeFiles(queryClient, files, { closing, closings }),
  });
  return (
    <div className={classNames(cards.stack, styles.files)}>
      <p>{checkFilesTexts.note}</p>
      {closing.reopened !== null && <Alert type="warning" showIcon title={checkFilesTexts.superseded} />}
      <Field label={checkFilesTexts.choose}>
        {(control) => (
          <input
            {...control}
            type="file"
            multiple
            disabled={isPending}
            onChange={({ target }) => target.files !== null && target.files.length > 0 && mutate([...target.files])}
          />
        )}
      </Field>
      {isError && <Alert type="error" role="alert" showIcon title={checkFilesTexts.failed} />}
      <div role="status">
        {isPending && <p>{checkFilesTexts.checking}</p>}
        {data !== undefined && !isPending && <Verdicts verdicts={data} />}
      </div>
    </div>
  );
}

/** Two folders may have files of the same name. */
type Judged = { readonly id: number; readonly name: string; readonly verdict: FileVerdict };

async function judgeFiles(
  queryClient: QueryClient,
  files: readonly File[],
  { closing, closings }: CheckFilesProps,
): Promise<readonly Judged[]> {
  const certificateOf = ({ version }: Closing) => queryClient.fetchQuery(certificateQuery(String(version)));
  const certificate = await certificateOf(closing);
  const others = closings.filter(({ version, certified }) => certified && version !== closing.version);
  const judged: Judged[] = [];
  // One after the other: a file has to fit the memory of this page.
  for (const file of files) {
    const chosen = await readChosen(file);
    let verdict: FileVerdict = chosen === undefined ? { kind: 'unreadable' } : judgeFile(chosen, certificate, []);
    if (chosen !== undefined && verdict.kind !== 'same' && verdict.kind !== 'empty') {
      verdict = judgeFile(chosen, certificate, await Promise.all(others.map(certificateOf)));
    }
    judged.push({ id: judged.length, name: file.name, verdict });
  }
  return judged;
}

const tones = {
  ...{ same: 'completed', 'of-another': 'pending', 'other-days': 'pending' },
  ...{ changed: 'failed', empty: 'failed', unknown: 'failed', unreadable: 'failed' },
} as const satisfies Record<FileVerdict['kind'], BadgeTone>;

function Verdicts({ verdicts }: { readonly verdicts: readonly Judged[] }) {
  const same = verdicts.filter(({ verdict }) => verdict.kind === 'same').length;
  return (
    <>
      <p>{checkFilesTexts.result(same, verdicts.length)}</p>
      <ul className={classNames(cards.divided, styles.list)} aria-label={checkFilesTexts.list}>
        {verdicts.map(({ id, name, verdict }) => (
          <li key={id}>
            <Badge tone={tones[verdict.kind]}>{checkFilesTexts.verdicts[verdict.kind]}</Badge>{' '}
            <strong className={cards.secret}>{name}</strong>
            <p>{explain(verdict)}</p>
          </li>
        ))}
      </ul>
    </>
  );
}

function explain(verdict: FileVerdict): string {
  const { same, another, changed, otherDays, empty, unknown, unreadable } = checkFilesTexts.explained;
  switch (verdict.kind) {
    case 'same':
      return same(verdict.fileName);
    case 'of-another':
      return another(verdict.fileName, fullDayText(verdict.days.from), fullDayText(verdict.days.to));
    case 'changed':
      return changed;
    case 'other-days':
      return otherDays(fullDayText(verdict.days.from), fullDayText(verdict.days.to));
    case 'empty':
      return empty;
    case 'unknown':
      return unknown;
    default:
      return unreadable;
  }
}
