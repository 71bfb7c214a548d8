import { type PageSize, pageSizes, usualPageSize } from '../layout/list-search.ts';
import { ChoiceFilter } from '../ui/filters.tsx';
import styles from './orders.module.css';
import { ordersTexts } from './texts.ts';

type Size = `${PageSize}`;
const otherSizes = pageSizes.filter((size) => size !== usualPageSize);
const options = Object.fromEntries(otherSizes.map((size) => [size, ordersTexts.rowsPerPage(size)])) as Record<
  Size,
  string
>;

type PageSizeChoiceProps = {
  /** Undefined: the usual one. */
  readonly pageSize: PageSize | undefined;
  readonly onChoose: (pageSize: PageSize | undefined) => void;
};

/** How many orders a page has. */
export function PageSizeChoice({ pageSize, onChoose }: PageSizeChoiceProps) {
  return (
    <div className={styles.pageSize}>
      <ChoiceFilter
        label={ordersTexts.pageSize}
        value={pageSize === undefined ? undefined : (String(pageSize) as Size)}
        any={ordersTexts.rowsPerPage(usualPageSize)}
        options={options}
        onChoose={(chosen) => onChoose(pageSizes.find((size) => String(size) === chosen))}
      />
    </div>
  );
}
