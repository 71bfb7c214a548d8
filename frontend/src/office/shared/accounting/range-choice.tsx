import { Button } from 'antd';
import filters from '../ui/filters.module.css';
import { DayFilter, DayPair } from '../ui/filters.tsx';
import { type DayRange, endingAt, presetNames, presetsOn, startingAt } from './day-range.ts';
import { rangeTexts } from './texts.ts';

type RangeChoiceProps = {
  readonly label: string;
  readonly range: DayRange;
  readonly today: string;
  readonly onChoose: (range: DayRange) => void;
};

export function RangeChoice({ label, range, today, onChoose }: RangeChoiceProps) {
  const presets = presetsOn(today);
  return (
    <search aria-label={label} className={filters.filters}>
      {presetNames.map((name) => {
        const chosen = presets[name].from === range.from && presets[name].to === range.to;
        return (
          <Button
            key={name}
            type={chosen ? 'primary' : 'default'}
            aria-pressed={chosen}
            onClick={() => onChoose(presets[name])}
          >
            {rangeTexts.presets[name]}
          </Button>
        );
      })}
      <DayPair>
        <DayFilter
          label={rangeTexts.from}
          value={range.from}
          onChoose={(from) => onChoose(startingAt(from ?? range.from, range))}
        />
        <DayFilter
          label={rangeTexts.to}
          value={range.to}
          onChoose={(to) => onChoose(endingAt(to ?? range.to, range))}
        />
      </DayPair>
    </search>
  );
}
