import type { Books } from '@kilim/bff/contract/books';
import { Link } from '@tanstack/react-router';
import { Alert } from 'antd';
import { usePageData } from '../../shared/page-data.ts';
import { classNames } from '../../shared/ui/class-names.ts';
import { fullDayText } from '../shared/accounting/day-range.ts';
import { usePersonName } from '../shared/person-names.ts';
import { useMay } from '../shared/session/current-session.tsx';
import { Badge } from '../shared/ui/badge.tsx';
import cards from '../shared/ui/card.module.css';
import { timeText } from '../shared/ui/format.ts';
import styles from './accounting.module.css';
import { CheckFilesButton } from './check-files-button.tsx';
import { certificateTexts, closingTexts, reopeningTexts } from './closing-texts.ts';
import { ReopenButton } from './reopen-button.tsx';

type Closing = Books['closings'][number];

export function ClosingsList({ books }: { readonly books: Books }) {
  const latest = books.closings.find(({ reopened }) => reopened === null);
  const mayReopen = useMay('reopenPeriods');
  return (
    <>
      {!books.signs && <Alert type="warning" showIcon title={closingTexts.noKey} />}
      {books.closings.length === 0 ? (
        <p>{closingTexts.none}</p>
      ) : (
        <ul className={classNames(cards.divided, styles.list)} aria-label={closingTexts.list}>
          {books.closings.map((closing) => (
            <li key={closing.version} className={cards.row}>
              <ClosingText closing={closing} />
              <div className={cards.tools}>
                {closing.certified && <CheckFilesButton closing={closing} closings={books.closings} />}
                {mayReopen && closing === latest && <ReopenButton closing={closing} />}
              </div>
            </li>
          ))}
        </ul>
      )}
    </>
  );
}

function ClosingText({ closing }: { readonly closing: Closing }) {
  const nameOf = usePersonName();
  const { timeZone } = usePageData().config.business;
  const { version, through, closedAt, closedBy, checkpoint, certified, reopened } = closing;
  return (
    <div>
      <strong>{closingTexts.through(fullDayText(through))}</strong>,{' '}
      {closingTexts.closedBy(timeText(closedAt, timeZone), nameOf(closedBy))}{' '}
      {reopened === null ? (
        <Badge tone={checkpoint === null ? 'pending' : 'completed'}>
          {checkpoint === null ? closingTexts.unsigned : closingTexts.signed(checkpoint)}
        </Badge>
      ) : (
        <Badge tone="failed">{reopeningTexts.superseded}</Badge>
      )}
      {reopened !== null && (
        <p className={cards.soft}>
          {reopeningTexts.reopened(
            timeText(reopened.at, timeZone),
            nameOf(reopened.by),
            reopeningTexts.reasons[reopened.reason],
          )}
        </p>
      )}
      <p>
        {certified ? (
          <Link
            to="/admin/accounting/certificate/$closing"
            params={{ closing: String(version) }}
            aria-label={certificateTexts.linkOf(fullDayText(through))}
          >
            {certificateTexts.link}
          </Link>
        ) : (
          certificateTexts[reopened === null ? 'making' : 'neverMade']
        )}
      </p>
    </div>
  );
}
