import PostalMime from 'postal-mime';

export type KeptMail = {
  /** From 1, by arrival. */
  readonly number: number;
  readonly at: Date;
  /** Of the envelope. */
  readonly to: readonly string[];
  readonly from: string;
  readonly subject: string;
  readonly messageId: string;
  readonly text: string;
  readonly html: string;
  readonly attachments: readonly { readonly fileName: string; readonly content: string }[];
  readonly source: string;
};

export async function parseMail(source: Buffer): Promise<Omit<KeptMail, 'number' | 'to'>> {
  const mail = await PostalMime.parse(source, { attachmentEncoding: 'utf8' });
  return {
    at: new Date(),
    from: mail.from?.address ?? '',
    subject: mail.subject ?? '',
    messageId: mail.messageId ?? '',
    text: mail.text ?? '',
    html: mail.html ?? '',
    attachments: mail.attachments.map(({ filename, content }) => ({
      fileName: filename ?? '',
      content: String(content),
    })),
    source: source.toString('utf8'),
  };
}
