import type { OrderEvent } from '../order/events.ts';
import type { Result } from '../result.ts';
import { eventSamples, isOrderSample } from './every-event.ts';

const stays = 'stays';

/** All commands of one input have the same cells. */
type Commands<Subject, Command> = (subject: Subject) => Command | readonly Command[];
type Input<Subject, Command> =
  | Commands<Subject, Command>
  /** Other events happened after the state was reached. */
  | { readonly given: readonly OrderEvent[]; readonly commands: Commands<Subject, Command> };

/** `Subject` is what the commands are about: the last attempt of a history, its last refund. */
type Definition<State, Subject, Command extends { readonly type: string }> = {
  readonly title: string;
  readonly initial: State;
  readonly evolve: (state: State, event: OrderEvent) => State;
  readonly decide: (command: Command, state: State) => Result<readonly OrderEvent[], { readonly code: string }>;
  readonly subjectOf: (history: readonly OrderEvent[]) => Subject;
  readonly stateOf: (state: State) => string;
  /** In the order of the columns, each with the shortest history that leads to it. */
  readonly states: Readonly<Record<string, readonly OrderEvent[]>>;
  /** Reached without a command of this table. */
  readonly entries: readonly string[];
  /** A customer or money waits. */
  readonly waiting: readonly string[];
  readonly ends: readonly string[];
  /** The commands of each type by their row, with the words after the type. */
  readonly inputs: { readonly [Type in Command['type']]: Readonly<Record<string, Input<Subject, Command>>> };
  /**
   * A row for each input: the command leads to a state, is refused with a code, or records nothing (`-`). A row for
   * each event that changes a state: it leads to a state, `stays`, or is what no history holds there (`cannot
   * follow`). `"` repeats the cell before it.
   */
  readonly cells: string;
  /** Instead of the samples of their types. */
  readonly samples?: readonly OrderEvent[];
};

export type StateTable = ReturnType<typeof tableOf>;

export function tableOf<State, Subject, Command extends { readonly type: string }>(
  table: Definition<State, Subject, Command>,
) {
  const { evolve, decide, stateOf, subjectOf, inputs, samples = [] } = table;
  const names = Object.keys(table.states);
  const written = new Map(table.cells.trim().split('\n').map(cellsIn));
  const after = (history: readonly OrderEvent[]) => history.reduce(evolve, table.initial);

  function answer(history: readonly OrderEvent[], command: Command) {
    const decision = decide(command, after(history));
    if (!decision.ok) return { cell: decision.rejection.code, recorded: [] };
    const recorded = decision.value;
    return { cell: recorded.length === 0 ? '-' : stateOf(after([...history, ...recorded])), recorded };
  }

  function effectOf(history: readonly OrderEvent[], event: OrderEvent): string {
    const before = stateOf(after(history));
    try {
      const reached = stateOf(after([...history, event]));
      return reached === before ? stays : reached;
    } catch {
      return 'cannot follow';
    }
  }

  const byType = Object.entries<Readonly<Record<string, Input<Subject, Command>>>>(inputs);
  const rows = byType.flatMap(([type, ofType]) =>
    Object.entries(ofType).map(([when, input]) => {
      const { given, commands } = typeof input === 'function' ? { given: [], commands: input } : input;
      const name = `${type} ${when}`.trim();
      return {
        ...{ name, type, when, cells: written.get(name) ?? [], isPlain: given.length === 0 },
        answers: (history: readonly OrderEvent[]) =>
          [commands(subjectOf(history))].flat().map((command) => answer([...history, ...given], command as Command)),
      };
    }),
  );
  const effects = eventSamples.flatMap(([name, sample]) => {
    if (!isOrderSample(sample)) return [];
    const event = samples.find(({ type }) => type === sample.type) ?? sample;
    const cells = written.get(name) ?? names.map(() => stays);
    return [
      {
        name,
        cells,
        isWritten: written.has(name),
        effect: (history: readonly OrderEvent[]) => effectOf(history, event),
      },
    ];
  });
  /** The states that commands lead to from this one. */
  const next = (name: string) =>
    rows.map(({ cells }) => cells[names.indexOf(name)] ?? '').filter((cell) => cell !== name && names.includes(cell));

  const stateAfter = (history: readonly OrderEvent[]) => stateOf(after(history));
  const { title, states: histories, entries, waiting, ends } = table;
  return { title, histories, entries, waiting, ends, names, rows, effects, next, written, stateAfter };
}

function cellsIn(line: string): readonly [name: string, cells: readonly string[]] {
  const [name = '', ...given] = line.split('|').map((cell) => cell.trim());
  const cells: string[] = [];
  for (const cell of given) cells.push(cell === '"' ? (cells.at(-1) ?? '') : cell);
  return [name, cells];
}

export function markdownOf({ title, names, rows, effects }: StateTable): string {
  const head = (first: readonly string[]) => {
    const columns = [...first, ...names];
    return [lineOf(columns), lineOf(columns.map(() => '---'))];
  };
  const printed = (cell: string) => {
    if (names.includes(cell)) return `→ ${cell}`;
    return /^[A-Z]/.test(cell) ? `\`${cell}\`` : cell;
  };
  // A type of event may have several samples.
  const changing = new Map(effects.filter(({ isWritten }) => isWritten).map(({ name, cells }) => [name, cells]));
  return [
    `### ${title}`,
    '',
    ...head(['command', 'when']),
    ...rows.map(({ type, when, cells }) => lineOf([`\`${type}\``, when, ...cells.map(printed)])),
    '',
    ...head(['event']),
    ...[...changing].map(([name, cells]) => lineOf([`\`${name}\``, ...cells.map(printed)])),
    lineOf(['every other one', ...names.map(() => stays)]),
  ].join('\n');
}

function lineOf(cells: readonly string[]): string {
  return `| ${cells.join(' | ')} |`;
}
