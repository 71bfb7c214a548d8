import { type Day, parseDay } from '@kilim/domain/day';
import { Button, Input } from 'antd';
import { type ReactNode, useEffect, useId, useState } from 'react';
import { useNarrow } from '../../../shared/use-media-query.ts';
import cards from './card.module.css';
import styles from './filters.module.css';

type FiltersProps = {
  readonly label: string;
  /** Always seen. */
  readonly search?: ReactNode;
  readonly onClear: (() => void) | undefined;
  readonly children: ReactNode;
};

/** Folded on a phone until one is used, so that the list begins on the first screen. */
export function Filters({ label, search, onClear, children }: FiltersProps) {
  const isPhone = useNarrow();
  const isUsed = onClear !== undefined;
  return (
    <search aria-label={label} className={styles.filters}>
      {search}
      <details className={styles.fold} open={!isPhone || isUsed}>
        <summary className={cards.summary}>Filters</summary>
        <div className={styles.choices}>
          {children}
          {isUsed && (
            <Button type="link" onClick={onClear}>
              Clear filters
            </Button>
          )}
        </div>
      </details>
    </search>
  );
}

const searchDelayMilliseconds = 300;

type SearchBoxProps = {
  readonly label: string;
  readonly hint: string;
  readonly value: string;
  readonly onSearch: (text: string) => void;
};

/** Searches a moment after each key. */
export function SearchBox({ label, hint, value, onSearch }: SearchBoxProps) {
  const [text, setText] = useState(value);
  const [told, setTold] = useState(value);
  // By the back button, or cleared filters.
  if (value !== told) {
    setTold(value);
    if (value !== text.trim()) setText(value);
  }
  useEffect(() => {
    if (text.trim() === value) return;
    const timer = setTimeout(() => onSearch(text.trim()), searchDelayMilliseconds);
    return () => clearTimeout(timer);
  }, [text, value, onSearch]);
  return (
    <Input
      type="search"
      className={styles.search ?? ''}
      aria-label={label}
      placeholder={hint}
      value={text}
      maxLength={100}
      onChange={({ target }) => setText(target.value)}
      onKeyDown={({ key }) => key === 'Enter' && onSearch(text.trim())}
    />
  );
}

type ChoiceProps<Value extends string> = {
  readonly label: string;
  readonly value: Value | undefined;
  /** Shown while nothing is chosen. Absent: one is always chosen. */
  readonly any?: string;
  readonly options: Readonly<Record<Value, string>>;
  readonly onChoose: (value: Value | undefined) => void;
};

export function ChoiceFilter<Value extends string>({ label, value, any, options, onChoose }: ChoiceProps<Value>) {
  const id = useId();
  const entries = Object.entries(options) as [Value, string][];
  return (
    <div className={styles.filter}>
      <label htmlFor={id}>{label}</label>
      <select
        id={id}
        value={value ?? ''}
        onChange={({ target }) => onChoose(entries.find(([key]) => key === target.value)?.[0])}
      >
        {any !== undefined && <option value="">{any}</option>}
        {entries.map(([key, text]) => (
          <option key={key} value={key}>
            {text}
          </option>
        ))}
      </select>
    </div>
  );
}

type DaysProps = {
  readonly days: { readonly from?: Day; readonly to?: Day };
  readonly onChoose: (change: { readonly from?: Day | undefined; readonly to?: Day | undefined }) => void;
};

/** Moving the start behind the end moves the end too, and the reverse. */
export function DaysFilter({ days: { from, to }, onChoose }: DaysProps) {
  return (
    <DayPair>
      <DayFilter
        label="From"
        value={from}
        onChoose={(day) => onChoose({ from: day, ...(day && to && day > to && { to: day }) })}
      />
      <DayFilter
        label="To"
        value={to}
        onChoose={(day) => onChoose({ to: day, ...(day && from && day < from && { from: day }) })}
      />
    </DayPair>
  );
}

type DayProps = {
  readonly label: string;
  readonly value: string | undefined;
  readonly onChoose: (day: Day | undefined) => void;
};

/** Side by side in a narrow window too. */
export function DayPair({ children }: { readonly children: ReactNode }) {
  return <div className={styles.days}>{children}</div>;
}

export function DayFilter({ label, value, onChoose }: DayProps) {
  const id = useId();
  // While a person types a year, the browser reports days of the year 2 or 20.
  const [unfinished, setUnfinished] = useState<string>();
  const onChange = (text: string) => {
    const day = parseDay(text);
    const isFinished = day !== undefined || text === '';
    setUnfinished(isFinished ? undefined : text);
    if (isFinished) onChoose(day);
  };
  return (
    <div className={styles.filter}>
      <label htmlFor={id}>{label}</label>
      <input id={id} type="date" value={unfinished ?? value ?? ''} onChange={({ target }) => onChange(target.value)} />
    </div>
  );
}
