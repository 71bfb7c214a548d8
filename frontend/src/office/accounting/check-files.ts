import type { Certificate } from '@kilim/bff/contract/certificate';
import { type DayRange, rangeOfFile } from '../shared/accounting/day-range.ts';

export type FileVerdict =
  | { readonly kind: 'same'; readonly fileName: string }
  /** Of another certificate, unchanged. */
  | { readonly kind: 'of-another'; readonly fileName: string; readonly days: DayRange }
  /** Its name is in the certificate, its content is not. */
  | { readonly kind: 'changed'; readonly fileName: string }
  /** Its name has other days, and no certificate has its content. */
  | { readonly kind: 'other-days'; readonly days: DayRange }
  | { readonly kind: 'empty' }
  | { readonly kind: 'unknown' }
  | { readonly kind: 'unreadable' };

export type ChosenFile = { readonly name: string; readonly sha256: string; readonly isEmpty: boolean };

type Certified = Pick<Certificate, 'from' | 'through' | 'files'>;

/** Whether a file is one of the certificate, unchanged: by its content, whatever its name is. */
export function judgeFile(file: ChosenFile, certificate: Certified, others: readonly Certified[]): FileVerdict {
  const same = withContent(certificate, file);
  if (same !== undefined) return { kind: 'same', fileName: same.fileName };
  if (file.isEmpty) return { kind: 'empty' };
  for (const { from, through, ...other } of others) {
    const found = withContent(other, file);
    if (found !== undefined) return { kind: 'of-another', fileName: found.fileName, days: { from, to: through } };
  }
  const name = withoutCopyNumber(file.name);
  if (certificate.files.some(({ fileName }) => fileName === name)) return { kind: 'changed', fileName: name };
  const days = rangeOfFile(name);
  return days === undefined ? { kind: 'unknown' } : { kind: 'other-days', days };
}

function withContent({ files }: Pick<Certified, 'files'>, { sha256 }: ChosenFile) {
  return files.find((file) => file.sha256 === sha256);
}

/** A browser saves a second download as `name (1).csv`. */
function withoutCopyNumber(name: string): string {
  return name.replace(/ ?\(\d+\)(?=\.\w+$)/, '');
}

/** @returns undefined when the browser cannot read the file, or has no cryptography because the page has no HTTPS. */
export async function readChosen(file: File): Promise<ChosenFile | undefined> {
  try {
    const digest = new Uint8Array(await crypto.subtle.digest('SHA-256', await file.arrayBuffer()));
    const sha256 = [...digest].map((byte) => byte.toString(16).padStart(2, '0')).join('');
    return { name: file.name, sha256, isEmpty: file.size === 0 };
  } catch {
    return undefined;
  }
}
