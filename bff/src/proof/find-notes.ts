import PostalMime from 'postal-mime';

/**
 * Reads a file that `checkpoint --out` wrote, mails, and any text or JSON that quotes notes.
 * @returns each note once, in the order of the file. Their signatures are not checked.
 */
export async function findNotes(file: Buffer): Promise<readonly string[]> {
  const text = file.toString('utf8');
  const texts = [text, ...(await textsOfMails(text))];
  return [...new Set(texts.flatMap(notesIn))];
}

/** An empty line ends the text; each signature has a line. */
const note = /kilim\/ledger\n\d+\n\S+\n(?:[a-z]+ .*\n)+\n(?:— \S+ [A-Za-z0-9+/=]+\n?)+/g;

function notesIn(text: string): readonly string[] {
  // JSON writes a line feed as \n. Mail programs mark quoted lines, and end lines with CR LF.
  const plain = text
    .replaceAll('\\n', '\n')
    .replaceAll('\\u2014', '—')
    .replaceAll(/\r\n/g, '\n')
    .replaceAll(/^(?:> ?)+/gm, '');
  return [...plain.matchAll(note)].map(([found]) => (found.endsWith('\n') ? found : `${found}\n`));
}

const headerOfMail = /^(?:from |[a-z-]+:)/i;

/** The texts and attachments of a mail or of a mailbox (mbox), decoded. */
async function textsOfMails(text: string): Promise<readonly string[]> {
  if (!headerOfMail.test(text)) return [];
  const texts: string[] = [];
  for (const mail of text.split(/^From .*\r?\n/m)) {
    const { text: body = '', html = '', attachments } = await PostalMime.parse(mail, { attachmentEncoding: 'utf8' });
    texts.push(body, html, ...attachments.map(({ content }) => (typeof content === 'string' ? content : '')));
  }
  return texts;
}
