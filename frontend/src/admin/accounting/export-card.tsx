import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { usePageData } from '../../shared/page-data.ts';
import { Card } from '../ui/card.tsx';
import { Loaded } from '../ui/loaded.tsx';
import { contentsQuery } from './accounting-calls.ts';
import { rangeOf, todayIn } from './day-range.ts';
import { RangeChoice } from './range-choice.tsx';
import { RangeContents } from './range-contents.tsx';
import { exportTexts } from './texts.ts';

const route = getRouteApi('/admin/accounting');

/** A range of days, its contents and its files. */
export function ExportCard() {
  const { timeZone } = usePageData().config.business;
  const today = todayIn(timeZone);
  const range = rangeOf(route.useSearch(), today);
  const navigate = route.useNavigate();
  const query = useQuery(contentsQuery(range));
  return (
    <Card title={exportTexts.heading} note={exportTexts.note(timeZone)}>
      <RangeChoice
        label={exportTexts.range}
        range={range}
        today={today}
        onChoose={(search) => void navigate({ search, replace: true })}
      />
      <Loaded query={query} loading={exportTexts.loading} failed={exportTexts.loadFailed}>
        {(contents) => <RangeContents contents={contents} range={range} />}
      </Loaded>
    </Card>
  );
}
