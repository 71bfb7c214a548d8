import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { Button } from 'antd';
import { ApiError } from '../../shared/api-client.ts';
import { usePageTitle } from '../../shared/use-page-title.ts';
import cards from '../shared/ui/card.module.css';
import { Loaded } from '../shared/ui/loaded.tsx';
import { Nothing } from '../shared/ui/nothing.tsx';
import sheet from '../shared/ui/sheet.module.css';
import { certificateAddress, certificateQuery } from './accounting-calls.ts';
import { CertificateSheet } from './certificate-sheet.tsx';
import { certificateTexts } from './closing-texts.ts';

const route = getRouteApi('/admin/accounting/certificate/$closing');

export function CertificatePage() {
  usePageTitle(certificateTexts.title);
  const { closing } = route.useParams();
  const query = useQuery(certificateQuery(closing));
  const { error } = query;
  const failure = error instanceof ApiError ? error.failure : undefined;
  const missing = failure?.kind === 'refused' && failure.code === 'NoCertificate' ? failure.message : undefined;
  return (
    <div className={cards.stack}>
      <div className={sheet.actions}>
        <Link to="/admin/accounting">{certificateTexts.back}</Link>
        <div className={cards.buttons}>
          <Button href={certificateAddress(closing)} download disabled={query.data === undefined}>
            {certificateTexts.download}
          </Button>
          <Button type="primary" disabled={query.data === undefined} onClick={() => globalThis.print()}>
            {certificateTexts.print}
          </Button>
        </div>
      </div>
      {missing === undefined ? (
        <Loaded query={query} loading={certificateTexts.loading} failed={certificateTexts.loadFailed}>
          {(certificate) => <CertificateSheet certificate={certificate} />}
        </Loaded>
      ) : (
        <Nothing hint={missing} />
      )}
    </div>
  );
}
