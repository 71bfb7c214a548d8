import * as z from 'zod/mini';
import { type Certificate, certificate } from '../../../contract/certificate.ts';
import { addressed, type Compose } from '../../core/mail/compose.ts';
import { type Letter, text } from '../../core/mail/letter.ts';
import { certificateFileName, certificateText } from '../queries/certificate-text.ts';
import { readCertificate } from '../queries/read-certificate.ts';

function closingCertificate(certificate: Certificate, json: string, pageUrl: string): Letter {
  const { closing, from, through } = certificate;
  return {
    subject: `Certificate of the closing ${closing}: ${from} to ${through}`,
    heading: `The books are closed through ${through}`,
    parts: [
      text(
        'This is the certificate of the closing. Please keep this mail: with it, anybody can check later that the exported',
        'files of this period and the ledger before it were not changed.',
      ),
      { kind: 'link', text: 'Open the certificate', url: pageUrl },
      { kind: 'verbatim', text: certificateText(certificate) },
    ],
    attachments: [
      { fileName: certificateFileName(certificate), contentType: 'application/json; charset=utf-8', content: json },
    ],
  };
}

/** A seal follows a closing within a minute. Without seals the mail must not wait for ever. */
const longestWaitForSealSeconds = 60 * 60;

export const composeCertificate: Compose = async ({ sql, recipients, urls }, { about, ageSeconds }) => {
  const found = await readCertificate(sql, Number(about));
  if (found === undefined) return undefined;
  if (found.checkpoint === null && ageSeconds < longestWaitForSealSeconds) return 'later';
  const pageUrl = new URL(`/admin/accounting/certificate/${about}`, urls.office).href;
  const json = JSON.stringify(z.encode(certificate, found), undefined, 2);
  return addressed(recipients.accountant, closingCertificate(found, json, pageUrl));
};
