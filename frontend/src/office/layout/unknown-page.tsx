import { Link } from '@tanstack/react-router';
import { Empty } from 'antd';
import { usePageTitle } from '../../shared/use-page-title.ts';
import { layoutTexts } from './texts.ts';

/** The frame stays, with the way to everything else. */
export function UnknownPage() {
  usePageTitle(layoutTexts.unknown);
  return (
    <Empty
      image={Empty.PRESENTED_IMAGE_SIMPLE}
      description={
        <>
          <h2>{layoutTexts.unknown}</h2>
          <p>{layoutTexts.unknownHint}</p>
          <Link to="/admin/orders">{layoutTexts.toOrders}</Link>
        </>
      }
    />
  );
}
