import type { ExportToken } from '@kilim/bff/contract/exports';
import { Button } from 'antd';
import { usePageData } from '../../../shared/page-data.ts';
import { classNames } from '../../../shared/ui/class-names.ts';
import { usePersonName } from '../person-names.ts';
import { Badge } from '../ui/badge.tsx';
import cards from '../ui/card.module.css';
import { dayText } from '../ui/format.ts';
import { tokenTexts } from './texts.ts';
import styles from './token-row.module.css';

type TokenRowProps = { readonly token: ExportToken; readonly onRevoke: () => void };

export function TokenRow({ token, onRevoke }: TokenRowProps) {
  const { timeZone } = usePageData().config.business;
  const nameOf = usePersonName();
  const { name, createdAt, createdBy, usedAt, expiresAt, ended } = token;
  const expiry = ended === 'expired' ? tokenTexts.expired : tokenTexts.expires;
  return (
    <li className={classNames(cards.row, styles.token)}>
      <div>
        <p>
          <strong>{name}</strong> {ended !== null && <Badge tone="other">{tokenTexts.ends[ended]}</Badge>}
        </p>
        <p className={cards.soft}>
          {[
            tokenTexts.made(dayText(createdAt, timeZone), nameOf(createdBy)),
            usedAt === null ? tokenTexts.neverUsed : tokenTexts.used(dayText(usedAt, timeZone)),
            ...(ended === 'revoked' || ended === 'creator' ? [] : [expiry(dayText(expiresAt, timeZone))]),
          ].join(', ')}
        </p>
      </div>
      {ended === null && (
        <Button danger aria-label={tokenTexts.revokeOf(name)} onClick={onRevoke}>
          {tokenTexts.revoke}
        </Button>
      )}
    </li>
  );
}
