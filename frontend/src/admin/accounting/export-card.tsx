import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { Button } from 'antd';
import { usePageData } from '../../shared/page-data.ts';
import { Card } from '../ui/card.tsx';
import filters from '../ui/filters.module.css';
import { DayFilter, DayPair } from '../ui/filters.tsx';
import { Loaded } from '../ui/loaded.tsx';
import { contentsQuery } from './accounting-calls.ts';
import { type DayRange, endingAt, presetNames, presetsOn, rangeOf, startingAt, todayIn } from './day-range.ts';
import { RangeContents } from './range-contents.tsx';
import { exportTexts } from './texts.ts';

const route = getRouteApi('/admin/accounting');

/** A range of days, its contents and its files. */
export function ExportCard() {
  const { timeZone } = usePageData().config.business;
  const today = todayIn(timeZone);
  const range = rangeOf(route.useSearch(), today);
  const navigate = route.useNavigate();
  const query = useQuery({ ...contentsQuery(range), refetchOnMount: 'always' });
  return (
    <Card title={exportTexts.heading} note={exportTexts.note(timeZone)}>
      <RangeChoice range={range} today={today} onChoose={(search) => void navigate({ search, replace: true })} />
      <Loaded query={query} loading={exportTexts.loading} failed={exportTexts.loadFailed}>
        {(contents) => <RangeContents contents={contents} range={range} />}
      </Loaded>
    </Card>
  );
}

type RangeChoiceProps = {
  readonly range: DayRange;
  readonly today: string;
  readonly onChoose: (range: DayRange) => void;
};

function RangeChoice({ range, today, onChoose }: RangeChoiceProps) {
  const presets = presetsOn(today);
  return (
    <search aria-label={exportTexts.range} className={filters.filters}>
      {presetNames.map((name) => {
        const chosen = presets[name].from === range.from && presets[name].to === range.to;
        return (
          <Button
            key={name}
            type={chosen ? 'primary' : 'default'}
            aria-pressed={chosen}
            onClick={() => onChoose(presets[name])}
          >
            {exportTexts.presets[name]}
          </Button>
        );
      })}
      <DayPair>
        <DayFilter
          label={exportTexts.from}
          value={range.from}
          onChoose={(from) => onChoose(startingAt(from ?? range.from, range))}
        />
        <DayFilter
          label={exportTexts.to}
          value={range.to}
          onChoose={(to) => onChoose(endingAt(to ?? range.to, range))}
        />
      </DayPair>
    </search>
  );
}
