import type { SecurityLogEntry } from '@kilim/bff/contract/security-log';
import { isAlarming } from '@kilim/domain/people/security-log';
import { usePageData } from '../../shared/page-data.ts';
import { Badge } from '../shared/ui/badge.tsx';
import cards from '../shared/ui/card.module.css';
import { type Column, DataTable } from '../shared/ui/data-table.tsx';
import { timeText } from '../shared/ui/format.ts';
import styles from './security.module.css';
import { securityTexts } from './texts.ts';

type SecurityTableProps = { readonly rows: readonly SecurityLogEntry[]; readonly busy: boolean };

export function SecurityTable({ rows, busy }: SecurityTableProps) {
  const { timeZone } = usePageData().config.business;
  const columns: readonly Column<SecurityLogEntry>[] = [
    { title: securityTexts.time, render: ({ at }) => <time dateTime={at}>{timeText(at, timeZone)}</time> },
    { title: securityTexts.person, render: (entry) => <Person entry={entry} /> },
    { title: securityTexts.kind, render: (entry) => <Happened entry={entry} /> },
    { title: securityTexts.place, render: (entry) => <Place entry={entry} /> },
  ];
  return <DataTable label={securityTexts.heading} columns={columns} rows={rows} rowKey={({ id }) => id} busy={busy} />;
}

type EntryProps = { readonly entry: SecurityLogEntry };

function Person({ entry: { person } }: EntryProps) {
  if (person === null) return <span className={cards.soft}>{securityTexts.noAccount}</span>;
  const { username, displayName } = person;
  return (
    <div className={styles.wrapping}>
      <div>{displayName}</div>
      {displayName !== username && <div className={cards.soft}>{username}</div>}
    </div>
  );
}

function Happened({ entry: { kind, sentence, actor } }: EntryProps) {
  return (
    <div className={styles.sentence}>
      {isAlarming(kind) && <Badge tone="pending">{securityTexts.warning}</Badge>} {sentence}
      {actor !== null && `, ${actorText(actor)}`}
    </div>
  );
}

function actorText({ username, displayName }: NonNullable<SecurityLogEntry['actor']>): string {
  return username === 'operator' ? securityTexts.byOperator : securityTexts.by(displayName);
}

function Place({ entry: { browser, network, actor } }: EntryProps) {
  // A command on the server has no address.
  if (network === null && actor?.username === 'operator') {
    return <span className={cards.soft}>{securityTexts.server}</span>;
  }
  return (
    <div className={styles.wrapping}>
      <div>{browser ?? securityTexts.unknownBrowser}</div>
      {network !== null && <div className={cards.soft}>{network}</div>}
    </div>
  );
}
