import { Button } from 'antd';
import type { ReactNode } from 'react';
import { usePageTitle } from '../../../shared/use-page-title.ts';
import { logOut } from './session-calls.ts';
import { FrontPage } from './sign-in-page.tsx';
import { sessionTexts } from './texts.ts';

type BeforeOfficeProps = { readonly heading: string; readonly why: string; readonly children: ReactNode };

/** What a signed-in person has to do before the office opens. */
export function BeforeOffice({ heading, why, children }: BeforeOfficeProps) {
  usePageTitle(heading);
  return (
    <FrontPage>
      <div>
        <h1>{heading}</h1>
        <p>{why}</p>
      </div>
      {children}
      <div>
        <Button onClick={() => void logOut()}>{sessionTexts.logOut}</Button>
      </div>
    </FrontPage>
  );
}
