import type { Session } from '@kilim/bff/contract/session';
import { renderToStaticMarkup } from 'react-dom/server';
import skeleton from '../shared/ui/skeleton.module.css';
import { VisuallyHidden } from '../shared/ui/visually-hidden.tsx';
import frame from './layout/frame.module.css';
import { Frame } from './layout/frame.tsx';
import { layoutTexts } from './layout/texts.ts';
import { type PageName, pageOf, placesFor } from './shared/places.ts';
import { SignInForm } from './shared/session/sign-in-form.tsx';
import { SignInPage } from './shared/session/sign-in-page.tsx';
import look from './shared/ui/admin-look.module.css';

// What the server draws before any script runs, see `../../build-steps/server-renderer.ts`.

export { renderHome } from '../render-home.tsx';

/** With the form of `sign-in.ts`. */
export function renderSignIn(businessName: string): string {
  return renderToStaticMarkup(
    <div className={look.look}>
      <SignInPage businessName={businessName}>
        <SignInForm />
      </SignInPage>
    </div>,
  );
}

const rows = [1, 2, 3, 4, 5, 6, 7, 8] as const;

/** The script of the page at an address, by its path below `frontend`. */
export function moduleOf(pathname: string): string | undefined {
  const page = pageOf(pathname);
  if (page === undefined) return undefined;
  const isPart = pathname.split('/').length > 3;
  const file = isPart ? partOf[page] : `${page}-page`;
  return `src/office/${page}/${file}.tsx`;
}

const partOf: Readonly<Partial<Record<PageName, string>>> = {
  orders: 'order-page',
  settings: 'settings-page',
  payouts: 'payout-page',
  accounting: 'certificate-page',
};

/** The header, the places of the person and grey rows: `main.tsx` replaces it by the same frame around the page. */
export function renderFrame({ username, displayName = username, role }: Session, pathname: string): string {
  const page = pageOf(pathname);
  return renderToStaticMarkup(
    <div className={look.look}>
      <Frame displayName={displayName} places={placesFor(role, page)} page={page}>
        <div role="status" className={frame.rows}>
          <VisuallyHidden>{layoutTexts.loading}</VisuallyHidden>
          {rows.map((row) => (
            <span key={row} className={skeleton.skeleton} aria-hidden="true" />
          ))}
        </div>
      </Frame>
    </div>,
  );
}
