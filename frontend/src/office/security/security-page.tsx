import { securityLog } from '@kilim/bff/contract/security-log';
import { securityKindName, securityKinds } from '@kilim/domain/people/security-log';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { Button, Empty } from 'antd';
import { call } from '../../shared/call.ts';
import { usePageTitle } from '../../shared/use-page-title.ts';
import { pagedQuery } from '../shared/api/admin-query.ts';
import type { SecuritySearch } from '../shared/list-search.ts';
import { personNamesQuery } from '../shared/person-names.ts';
import cards from '../shared/ui/card.module.css';
import { Card } from '../shared/ui/card.tsx';
import { ChoiceFilter, Filters } from '../shared/ui/filters.tsx';
import { LoadedAt } from '../shared/ui/loaded-at.tsx';
import { PagedList } from '../shared/ui/paged-list.tsx';
import { securitySearch } from './security-search.ts';
import { SecurityTable } from './security-table.tsx';
import { securityTexts } from './texts.ts';

const route = getRouteApi('/admin/security');
const securityKey = ['admin', 'security-log'] as const;

export function SecurityPage() {
  usePageTitle(securityTexts.title);
  const search = securitySearch(route.useSearch());
  const navigate = route.useNavigate();
  const query = useQuery(
    pagedQuery(securityKey, search, (query) => call('GET /api/admin/security-log', { query, answer: securityLog })),
  );
  const { page = 1, ...filters } = search;
  const go = (next: SecuritySearch, replace = false) => void navigate({ search: next, replace });
  const queryClient = useQueryClient();
  const refresh = () => {
    if (page > 1) go(filters);
    void queryClient.invalidateQueries({ queryKey: securityKey });
  };
  const isFiltered = Object.keys(filters).length > 0;
  return (
    <Card
      title={securityTexts.heading}
      note={securityTexts.note}
      actions={
        <div className={cards.tools}>
          <LoadedAt query={query} />
          <Button onClick={refresh} loading={query.isFetching && query.data !== undefined}>
            {securityTexts.refresh}
          </Button>
        </div>
      }
    >
      <SecurityFilters search={search} onChange={go} onClear={isFiltered ? () => go({}) : undefined} />
      <PagedList
        query={query}
        page={page}
        texts={securityTexts}
        onPage={(next, replace) => go({ ...search, page: next }, replace)}
      >
        {({ rows }) =>
          rows.length === 0 ? (
            <NoEntries isFiltered={isFiltered} />
          ) : (
            <SecurityTable rows={rows} busy={query.isPlaceholderData} />
          )
        }
      </PagedList>
    </Card>
  );
}

type SecurityFiltersProps = {
  readonly search: SecuritySearch;
  readonly onChange: (search: SecuritySearch) => void;
  readonly onClear: (() => void) | undefined;
};

function SecurityFilters({ search: { kind, person }, onChange, onClear }: SecurityFiltersProps) {
  const { data: people = [] } = useQuery({ ...personNamesQuery, staleTime: 60_000 });
  const names = people.map(({ username, displayName }) => [
    username,
    displayName === username ? username : `${displayName} (${username})`,
  ]);
  const choose = (chosen: { readonly kind: SecuritySearch['kind']; readonly person: string | undefined }) =>
    onChange(securitySearch(chosen));
  return (
    <Filters label={securityTexts.filters} onClear={onClear}>
      <ChoiceFilter
        label={securityTexts.kind}
        value={kind}
        any={securityTexts.anyKind}
        options={kindNames}
        onChoose={(chosen) => choose({ person, kind: chosen })}
      />
      <ChoiceFilter
        label={securityTexts.person}
        value={person}
        any={securityTexts.anyPerson}
        options={{ ...Object.fromEntries(names), operator: securityTexts.operator } as Record<string, string>}
        onChoose={(chosen) => choose({ kind, person: chosen })}
      />
    </Filters>
  );
}

const kindNames = Object.fromEntries(
  securityKinds.map((kind) => [kind, securityKindName(kind)]).sort(([, a = ''], [, b = '']) => a.localeCompare(b)),
) as Record<(typeof securityKinds)[number], string>;

function NoEntries({ isFiltered }: { readonly isFiltered: boolean }) {
  return (
    <Empty
      image={Empty.PRESENTED_IMAGE_SIMPLE}
      description={
        <>
          <strong>{isFiltered ? securityTexts.noneFoundTitle : securityTexts.emptyTitle}</strong>
          <p>{isFiltered ? securityTexts.noneFoundHint : securityTexts.emptyHint}</p>
        </>
      }
    />
  );
}
