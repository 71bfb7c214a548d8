import { useCallback } from 'react';
import type { OrderSearch } from '../layout/list-search.ts';
import { ChoiceFilter, DayFilter, DayPair, Filters, SearchBox } from '../ui/filters.tsx';
import { ordersTexts } from './texts.ts';

type OrderFiltersProps = {
  readonly search: OrderSearch;
  /** Typing replaces the address. Any other change adds a step to the history. */
  readonly onChange: (search: OrderSearch, replace?: boolean) => void;
};

type Chosen = { readonly [Name in keyof OrderSearch]?: OrderSearch[Name] | undefined };

export function OrderFilters({ search, onChange }: OrderFiltersProps) {
  const choose = (chosen: Chosen, replace = false) => onChange(changed(search, chosen), replace);
  const onSearch = useCallback(
    (text: string) => onChange(changed(search, { search: text === '' ? undefined : text }), true),
    [search, onChange],
  );
  const { page: _, sort, ...filters } = search;
  const clear = () => onChange(sort === undefined ? {} : { sort });
  return (
    <Filters label={ordersTexts.filters} onClear={Object.keys(filters).length === 0 ? undefined : clear}>
      <SearchBox
        label={ordersTexts.search}
        hint={ordersTexts.searchHint}
        value={search.search ?? ''}
        onSearch={onSearch}
      />
      <ChoiceFilter
        label={ordersTexts.refundStatus}
        value={search.status}
        any={ordersTexts.anyStatus}
        options={{
          none: 'No Refunds',
          pending: 'Refund Pending',
          partial: 'Partially Refunded',
          full: 'Fully Refunded',
        }}
        onChoose={(status) => choose({ status })}
      />
      <ChoiceFilter
        label={ordersTexts.payment}
        value={search.payment}
        any={ordersTexts.paid}
        options={{ attempts: ordersTexts.attempts, all: ordersTexts.everything }}
        onChoose={(payment) => choose({ payment })}
      />
      <ChoiceFilter
        label={ordersTexts.delivery}
        value={search.delivery}
        any={ordersTexts.anyDelivery}
        options={{ dropoff: ordersTexts.dropoff, pickup: ordersTexts.pickup }}
        onChoose={(delivery) => choose({ delivery })}
      />
      <DayPair>
        <DayFilter label={ordersTexts.from} value={search.from} onChoose={(from) => choose({ from })} />
        <DayFilter label={ordersTexts.to} value={search.to} onChoose={(to) => choose({ to })} />
      </DayPair>
    </Filters>
  );
}

/** A changed filter starts at the first page. */
function changed({ page: _, ...search }: OrderSearch, chosen: Chosen): OrderSearch {
  const all = Object.entries({ ...search, ...chosen }).filter(([, value]) => value !== undefined);
  return Object.fromEntries(all) as OrderSearch;
}
