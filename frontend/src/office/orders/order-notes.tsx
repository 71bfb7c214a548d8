import type { OrderDetail } from '@kilim/bff/contract/orders';
import { useQueryClient } from '@tanstack/react-query';
import { Alert, Button } from 'antd';
import { type FormEvent, useState } from 'react';
import { call } from '../../shared/call.ts';
import { usePageData } from '../../shared/page-data.ts';
import { type Outcome, outcomeOf } from '../shared/api/outcome.ts';
import { moneyKey } from '../shared/api/query-keys.ts';
import { usePersonName } from '../shared/person-names.ts';
import cards from '../shared/ui/card.module.css';
import { Card } from '../shared/ui/card.tsx';
import { TextAreaField } from '../shared/ui/field.tsx';
import { timeText } from '../shared/ui/format.ts';
import { useAskBeforeLeaving } from '../shared/ui/use-ask-before-leaving.ts';
import styles from './orders.module.css';
import { noteTexts } from './texts.ts';

type OrderNotesProps = Pick<OrderDetail, 'notes'> & { readonly orderId: string };

/** They are not in the ledger, and erasing the contact erases them. */
export function OrderNotes({ orderId, notes }: OrderNotesProps) {
  const { timeZone } = usePageData().config.business;
  const nameOf = usePersonName();
  const queryClient = useQueryClient();
  const [text, setText] = useState('');
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState<string>();
  useAskBeforeLeaving(text.trim() !== '', noteTexts.discard);
  const run = async (done: Promise<Outcome<unknown>>, onDone?: () => void) => {
    setBusy(true);
    setProblem(undefined);
    const outcome = await done;
    setBusy(false);
    if (outcome.kind === 'failed') return setProblem(outcome.message || noteTexts.failed);
    if (outcome.kind !== 'done') return;
    onDone?.();
    void queryClient.invalidateQueries({ queryKey: moneyKey });
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (busy || text.trim() === '') return;
    void run(outcomeOf(call('POST /api/admin/orders/:id/notes', { params: { id: orderId }, body: { text } })), () =>
      setText(''),
    );
  };
  return (
    <Card title={noteTexts.title} note={noteTexts.note}>
      <div className={cards.stack}>
        {problem !== undefined && <Alert type="error" role="alert" showIcon title={problem} />}
        {notes.length > 0 && (
          <ul className={cards.list} aria-label={noteTexts.title}>
            {notes.map(({ id, text: written, by, at, deleted }) => (
              <li key={id}>
                {deleted !== null && (
                  <p className={cards.soft}>{noteTexts.deleted(nameOf(deleted.by), timeText(deleted.at, timeZone))}</p>
                )}
                {written !== null && <p className={styles.noteText}>{written}</p>}
                <p className={cards.soft}>
                  {timeText(at, timeZone)}, {nameOf(by)}{' '}
                  {written !== null && (
                    <Button
                      type="link"
                      size="small"
                      disabled={busy}
                      aria-label={noteTexts.deleteOf(written)}
                      onClick={() =>
                        void run(
                          outcomeOf(
                            call('DELETE /api/admin/orders/:id/notes/:note', { params: { id: orderId, note: id } }),
                          ),
                        )
                      }
                    >
                      {noteTexts.delete}
                    </Button>
                  )}
                </p>
              </li>
            ))}
          </ul>
        )}
        <form className={styles.newNote} onSubmit={submit}>
          <TextAreaField
            label={noteTexts.add}
            rows={2}
            maxLength={2000}
            // Saving clears the field, so typing waits.
            readOnly={busy}
            value={text}
            onText={setText}
          />
          <Button htmlType="submit" loading={busy} disabled={text.trim() === ''}>
            {noteTexts.save}
          </Button>
        </form>
      </div>
    </Card>
  );
}
