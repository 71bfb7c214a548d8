import { useState } from 'react';
import { rowsPerPage } from '../api/paged.ts';
import { DataTable, type DataTableProps } from './data-table.tsx';
import { Pagination } from './pagination.tsx';

/** For loaded rows, ten at a time. When rows go away, so do empty pages. */
export function PagedTable<Row>({ rows, ...table }: DataTableProps<Row>) {
  const [chosen, setPage] = useState(1);
  const lastPage = Math.max(1, Math.ceil(rows.length / rowsPerPage));
  const page = Math.min(chosen, lastPage);
  const before = (page - 1) * rowsPerPage;
  const shown = rows.slice(before, before + rowsPerPage);
  return (
    <div>
      <DataTable {...table} rows={shown} />
      <Pagination
        label={`${table.label}, pages`}
        page={page}
        lastPage={lastPage}
        caption={`Showing ${before + 1} to ${before + shown.length} of ${rows.length} results`}
        onPage={setPage}
      />
    </div>
  );
}
