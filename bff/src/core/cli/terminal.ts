import type { WriteStream } from 'node:tty';

export type Terminal = {
  readonly say: (line: string) => void;
  readonly progress: (what: string, total: number) => Progress;
};

export type Progress = {
  readonly add: (count: number) => void;
  readonly end: () => void;
};

type Output = Pick<WriteStream, 'write'> & { readonly isTTY?: boolean };

const barWidth = 30;
const redrawEveryMs = 100;
const lineEveryMs = 10_000;

export function openTerminal(output: Output): Terminal {
  const say = (line: string) => void output.write(`${line}\n`);
  return {
    say,
    progress: (what, total) => (output.isTTY === true ? drawBar(output, what, total) : tellLines(say, what, total)),
  };
}

function drawBar(output: Output, what: string, total: number): Progress {
  const { text, add } = count(what, total);
  const draw = () => {
    const { share, line } = text();
    const filled = Math.round(share * barWidth);
    output.write(`\r[${'#'.repeat(filled)}${'-'.repeat(barWidth - filled)}] ${line}\u001b[K`);
  };
  return {
    add: add(draw, { everyMs: redrawEveryMs, toldAt: -Infinity }),
    end: () => void output.write(`\r\u001b[K${text().last}\n`),
  };
}

function tellLines(say: (line: string) => void, what: string, total: number): Progress {
  const { text, add } = count(what, total);
  return {
    add: add(() => say(text().line), { everyMs: lineEveryMs, toldAt: performance.now() }),
    end: () => say(text().last),
  };
}

function count(what: string, total: number) {
  const startedAt = performance.now();
  let done = 0;
  const text = () => {
    const seconds = Math.max((performance.now() - startedAt) / 1000, 0.001);
    const share = total === 0 ? 1 : Math.min(done / total, 1);
    const rate = `${grouped(Math.round(done / seconds))} a second`;
    return {
      share,
      line: `${Math.floor(share * 100)} % of ${grouped(total)} ${what}, ${rate}`,
      last: `${grouped(done)} ${what} in ${seconds.toFixed(1)} seconds, ${rate}`,
    };
  };
  const add = (tell: () => void, { everyMs, toldAt }: { readonly everyMs: number; readonly toldAt: number }) => {
    let lastAt = toldAt;
    return (more: number) => {
      done += more;
      const now = performance.now();
      if (now - lastAt < everyMs) return;
      lastAt = now;
      tell();
    };
  };
  return { text, add };
}

/** Not `toLocaleString`: its first call takes as long as copying 5,000 events. */
export function grouped(count: number): string {
  return String(count).replaceAll(/\B(?=(?:\d{3}){1,5}$)/g, ',');
}
