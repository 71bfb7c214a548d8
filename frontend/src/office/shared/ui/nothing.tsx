import { Empty } from 'antd';
import type { ReactNode } from 'react';

type NothingProps = { readonly title?: string; readonly hint: string; readonly children?: ReactNode };

/** In the place of what is not there. */
export function Nothing({ title, hint, children }: NothingProps) {
  const titled = (
    <>
      <strong>{title}</strong>
      <p>{hint}</p>
    </>
  );
  return (
    <Empty image={Empty.PRESENTED_IMAGE_SIMPLE} description={title === undefined ? hint : titled}>
      {children}
    </Empty>
  );
}
