import { randomBytes } from 'node:crypto';
import type { Context } from 'hono';
import type { PageData } from '../../../../contract/page-data.ts';
import type { OfficeStart } from '../../../../contract/session.ts';
import { withinMs } from '../../runtime/deadline.ts';
import type { Logger } from '../../runtime/logger.ts';
import { pathForLog } from '../guards.ts';
import type { Manifest } from './built-files.ts';
import { jsonBlock } from './json-block.ts';
import { hashesOfInlineScripts, shellFor, withMarkup } from './shell.ts';

/** What the build of `frontend/src/office/render-pages.tsx` draws. */
export type RenderOffice = {
  readonly renderSignIn: (businessName: string) => string;
  readonly renderFrame: (session: OfficeStart['session'], pathname: string) => string;
  /** The page's script, by its path below `frontend`. */
  readonly moduleOf: (pathname: string) => string | undefined;
};

/** Unknown: the database is away or slow. Never fails. */
export type StartOf = (c: Context) => Promise<OfficeStart | 'signed-out' | 'unknown'>;

type Given = {
  readonly data: () => PageData;
  /** `nonce` is for the style sheets that antd makes. */
  readonly adminContentSecurityPolicy: (nonce: string, inlineScripts: readonly string[]) => string;
  /** Absent: the browser renders everything. */
  readonly renderOffice?: RenderOffice;
};

type Office = {
  /** The text of a file of the build. */
  readonly read: (file: string) => string;
  readonly shell: string;
  readonly manifest: Manifest;
  readonly startOf: StartOf;
};

const signInModule = 'src/office/sign-in.ts';

/** A page for each request: with a session the frame and its page's scripts, otherwise the sign-in. */
export function officePages({ renderOffice, data, adminContentSecurityPolicy }: Given, office: Office) {
  const { shell, manifest, startOf } = office;
  const styled = withStyles(office.read);
  const inlineScripts = hashesOfInlineScripts(shell);
  const withoutScripts = shellFor({ shell, manifest, chunk: undefined });
  const signIn = renderOffice && signInPage(withoutScripts, manifest);
  const drawn = async (c: Context) => {
    const { pathname } = new URL(c.req.url);
    if (renderOffice === undefined || /^\/admin\/invitation\/?$/.test(pathname)) return withoutScripts;
    const start = await startOf(c);
    if (start === 'unknown') return withoutScripts;
    if (start === 'signed-out') {
      if (c.req.header('sec-fetch-site') === 'cross-site') return openedAgain;
      return withMarkup(signIn ?? '', renderOffice.renderSignIn(data().config.business.name));
    }
    const page = shellFor({ shell, manifest, chunk: renderOffice.moduleOf(pathname) });
    const block = jsonBlock({ id: 'kilim-office', type: 'application/json', data: start });
    return withMarkup(page, renderOffice.renderFrame(start.session, pathname)).replace(
      '<!--kilim:data-->',
      () => `${block}<!--kilim:data-->`,
    );
  };
  return async (c: Context) => {
    const nonce = randomBytes(16).toString('base64');
    const page = styled(await drawn(c), nonce);
    return {
      page: page.replace('</head>', () => `<meta property="csp-nonce" nonce="${nonce}"></head>`),
      headers: {
        'content-security-policy': adminContentSecurityPolicy(nonce, inlineScripts),
        // A nonce is valid for one answer, and the frame for one person.
        'cache-control': 'no-store',
        'cross-origin-opener-policy': 'same-origin',
        'permissions-policy': 'payment=(), camera=(), microphone=(), geolocation=()',
        'referrer-policy': 'no-referrer',
        'x-frame-options': 'DENY',
      },
    };
  };
}

const styleSheets = /<link rel="stylesheet"[^>]*href="\/([^"]+)"[^>]*>/g;

/**
 * The first paint waits for one answer only. The links wait in a template, switched off, because Vite looks for them
 * before it loads a chunk's styles.
 */
function withStyles(read: (file: string) => string) {
  const texts = new Map<string, string>();
  const textOf = (file: string) => {
    const text = texts.get(file) ?? read(file);
    texts.set(file, text);
    return text;
  };
  return (page: string, nonce: string): string => {
    const links = [...page.matchAll(styleSheets)].map(([link]) => link.replace('>', ' disabled>'));
    return page
      .replaceAll(styleSheets, (_, file: string) => `<style nonce="${nonce}">${textOf(file)}</style>`)
      .replace('<template>', () => `<template>${links.join('')}`);
  };
}

/** After a link on another site, such as a mail's, the browser sends no cookie (`SameSite=Strict`). This page sends it. */
const openedAgain =
  '<!doctype html><html lang="en"><head><title>Back office</title><meta http-equiv="refresh" content="0"></head></html>';

const longestMs = 1_000;

/** The page comes without the database, too: then the browser asks for the session. */
export function inTime(read: (c: Context) => Promise<OfficeStart | undefined>, log: Logger): StartOf {
  return async (c) => {
    try {
      return (await withinMs(longestMs, read(c))) ?? 'signed-out';
    } catch (err) {
      log.warn({ err, path: pathForLog(c.req.path) }, 'a page of the office was opened without its session');
      return 'unknown';
    }
  };
}

const scripts = /<link rel="modulepreload"[^>]*>|<script type="module"[^>]*><\/script>/g;

/** The office's scripts wait in the template for the page's own one. */
function signInPage(page: string, manifest: Manifest): string {
  const file = manifest[signInModule]?.file;
  if (file === undefined) throw new Error(`The build has no ${signInModule}`);
  const waiting = page.match(scripts) ?? [];
  return page
    .replaceAll(scripts, '')
    .replace(
      '<template></template>',
      () => `<template>${waiting.join('')}</template><script type="module" src="/${file}"></script>`,
    );
}
