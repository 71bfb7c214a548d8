import type { Glance } from '@kilim/bff/contract/glance';
import { Alert, Button } from 'antd';
import { call } from '../../../shared/call.ts';
import { usePageData } from '../../../shared/page-data.ts';
import { adminLoad } from '../api/admin-request.ts';
import { Badge } from '../ui/badge.tsx';
import { timeText } from '../ui/format.ts';
import { countFaults } from './glance-query.ts';
import { checkTexts } from './texts.ts';
import { type Asked, useAsked } from './use-asked.ts';

/** Starts the servers' own check of all events. */
export function useChecking(): Asked {
  return useAsked({
    ask: async () => void (await adminLoad(call('POST /api/admin/books/check'))),
    doneAt: ({ check }) => check?.madeAt,
  });
}

export function CheckButton({ isUnderWay, start }: Asked) {
  return (
    <Button loading={isUnderWay} onClick={start}>
      {isUnderWay ? checkTexts.checking : checkTexts.check}
    </Button>
  );
}

type CheckStateProps = { readonly checking: Asked; readonly glance: Glance };

/** That it runs, when it ended, and what it found. A screen reader announces changes. */
export function CheckState({ checking: { hasFailed, takesLong, isUnderWay }, glance }: CheckStateProps) {
  const { timeZone } = usePageData().config.business;
  const { check } = glance;
  const faults = countFaults(glance);
  return (
    <>
      {hasFailed && <Alert type="error" role="alert" showIcon title={checkTexts.failed} />}
      <p role="status">
        {takesLong && `${checkTexts.takesLong} `}
        {isUnderWay && `${checkTexts.underWay} `}
        {faults > 0 && (
          <>
            <Badge tone="failed">{checkTexts.faults(faults)}</Badge> {checkTexts.tell}
          </>
        )}
        {faults === 0 && check !== null && (
          <Badge tone="completed">{checkTexts.unchanged(check.events.toLocaleString('en-US'))}</Badge>
        )}
        {check === null ? checkTexts.never : ` ${checkTexts.ended(timeText(check.madeAt, timeZone))}`}
      </p>
    </>
  );
}
