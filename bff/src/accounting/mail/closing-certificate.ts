import type { Certificate } from '../../../contract/certificate.ts';
import { type Letter, text } from '../../core/mail/letter.ts';
import { certificateFileName, certificateText } from '../queries/certificate-text.ts';

export function closingCertificate(certificate: Certificate, json: string, pageUrl: string): Letter {
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
