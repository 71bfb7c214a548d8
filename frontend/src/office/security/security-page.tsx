import { securityLog } from '@kilim/bff/contract/security-log';
import { securityKindName, securityKinds } from '@kilim/domain/people/security-log';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { call } from '../../shared/call.ts';
import { usePageTitle } from '../../shared/use-page-title.ts';
import { pagedQuery } from '../shared/api/admin-query.ts';
import { isFiltered, type SecuritySearch, securitySearch } from '../shared/list-search.ts';
import { personNamesQuery } from '../shared/person-names.ts';
import { ChoiceFilter, Filters } from '../shared/ui/filters.tsx';
import { ListCard } from '../shared/ui/list-card.tsx';
import { Nothing } from '../shared/ui/nothing.tsx';
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
  const go = (next: SecuritySearch, replace = false) => void navigate({ search: next, replace });
  return (
    <ListCard
      query={query}
      queryKey={securityKey}
      search={search}
      onSearch={go}
      note={securityTexts.note}
      texts={securityTexts}
      filters={<SecurityFilters search={search} onChange={go} />}
    >
      {({ rows }) =>
        rows.length === 0 ? (
          <Nothing {...securityTexts[isFiltered(search) ? 'noneFound' : 'empty']} />
        ) : (
          <SecurityTable rows={rows} busy={query.isPlaceholderData} />
        )
      }
    </ListCard>
  );
}

type SecurityFiltersProps = {
  readonly search: SecuritySearch;
  readonly onChange: (search: SecuritySearch) => void;
};

function SecurityFilters({ search, onChange }: SecurityFiltersProps) {
  const { kind, person } = search;
  const { data: people = [] } = useQuery({ ...personNamesQuery, staleTime: 60_000 });
  const names = people.map(({ username, displayName }) => [
    username,
    displayName === username ? username : `${displayName} (${username})`,
  ]);
  const choose = (chosen: { readonly kind: SecuritySearch['kind']; readonly person: string | undefined }) =>
    onChange(securitySearch(chosen));
  return (
    <Filters label={securityTexts.filters} onClear={isFiltered(search) ? () => onChange({}) : undefined}>
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
