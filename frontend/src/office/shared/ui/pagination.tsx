import { Button } from 'antd';
import { pageSteps } from './page-numbers.ts';
import styles from './pagination.module.css';

type PaginationProps = {
  readonly label: string;
  readonly page: number;
  readonly lastPage: number;
  /** 'Showing 11 to 20 of 37 results' */
  readonly caption: string;
  readonly onPage: (page: number) => void;
};

/** Nothing for a single page. Why it is not antd's: docs/topics/order-form-and-pages.md. */
export function Pagination({ label, page, lastPage, caption, onPage }: PaginationProps) {
  if (lastPage <= 1) return null;
  return (
    <nav className={styles.pagination} aria-label={label}>
      <p>{caption}</p>
      <div className={styles.buttons}>
        <Button disabled={page <= 1} onClick={() => onPage(page - 1)}>
          Previous
        </Button>
        {pageSteps(page, lastPage).map((step) =>
          typeof step === 'number' ? (
            <Button
              key={step}
              type={step === page ? 'primary' : 'default'}
              aria-label={`Page ${step}`}
              aria-current={step === page ? 'page' : undefined}
              onClick={() => onPage(step)}
            >
              {step}
            </Button>
          ) : (
            <span key={step} className={styles.gap} aria-hidden="true">
              …
            </span>
          ),
        )}
        <Button disabled={page >= lastPage} onClick={() => onPage(page + 1)}>
          Next
        </Button>
      </div>
    </nav>
  );
}
