import { describe, expect, test } from 'vitest';
import { type FileVerdict, judgeFile, readChosen } from './check-files.ts';

async function chosen(name: string, content: string) {
  const read = await readChosen(new File([content], name));
  if (read === undefined) throw new Error('not read');
  return read;
}

const octoberName = 'kilim-takings-2026-10-01-to-2026-10-31.csv';
const septemberName = 'kilim-takings-2026-09-01-to-2026-09-30.csv';
const certified = async (fileName: string, content: string) => [
  { format: 'takings-csv', fileName, bytes: content.length, sha256: (await chosen(fileName, content)).sha256 },
];
const october = { from: '2026-10-01', through: '2026-10-31', files: await certified(octoberName, 'october') };
const september = { from: '2026-09-01', through: '2026-09-30', files: await certified(septemberName, 'september') };

type Case = readonly [rule: string, file: readonly [name: string, content: string], verdict: FileVerdict];

describe('a chosen file', () => {
  test.each<Case>([
    ['is the certified one, whatever its name is', ['a.csv', 'october'], { kind: 'same', fileName: octoberName }],
    ['was changed, when only its name is certified', [octoberName, 'x'], { kind: 'changed', fileName: octoberName }],
    [
      'was changed, also when the browser numbered the download',
      [octoberName.replace('.csv', ' (2).csv'), 'x'],
      { kind: 'changed', fileName: octoberName },
    ],
    [
      'is of another month, and unchanged',
      [octoberName, 'september'],
      { kind: 'of-another', fileName: septemberName, days: { from: '2026-09-01', to: '2026-09-30' } },
    ],
    [
      'has the name of other days',
      ['kilim-takings-2026-08-01-to-2026-08-31.csv', 'august'],
      { kind: 'other-days', days: { from: '2026-08-01', to: '2026-08-31' } },
    ],
    ['is empty', [octoberName, ''], { kind: 'empty' }],
    ['has nothing to do with it', ['holiday.jpg', 'x'], { kind: 'unknown' }],
  ])('%s', async (_, [name, content], verdict) => {
    expect(judgeFile(await chosen(name, content), october, [september])).toEqual(verdict);
  });

  test('that cannot be read has no content', async () => {
    const gone = { name: octoberName, size: 1, arrayBuffer: () => Promise.reject(new Error('gone')) };
    expect(await readChosen(gone as unknown as File)).toBeUndefined();
  });
});
