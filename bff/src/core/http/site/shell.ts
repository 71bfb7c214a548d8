import { createHash } from 'node:crypto';
import type { Manifest } from './built-files.ts';

type Shell = { readonly shell: string; readonly manifest: Manifest; readonly chunk: string | undefined };

/**
 * The page with preloads for its route's scripts and styles: they load in parallel, and the first
 * paint has its styles.
 */
export function shellFor({ shell, manifest, chunk }: Shell): string {
  const files = chunk === undefined ? { scripts: [], styles: [] } : filesOf(manifest, chunk);
  const preloads = files.scripts
    .filter((file) => !shell.includes(file))
    .map((file) => `<link rel="modulepreload" crossorigin href="/${file}">`);
  const styles = files.styles
    .filter((file) => !shell.includes(file))
    .map((file) => `<link rel="stylesheet" crossorigin href="/${file}">`);
  return shell.replace('<!--kilim:head-->', () => [...preloads, ...styles].join(''));
}

function filesOf(manifest: Manifest, chunk: string): { readonly scripts: string[]; readonly styles: string[] } {
  const seen = new Set<string>();
  const scripts: string[] = [];
  const styles: string[] = [];
  const add = (key: string) => {
    const entry = manifest[key];
    if (entry === undefined || seen.has(key)) return;
    seen.add(key);
    scripts.push(entry.file);
    styles.push(...(entry.css ?? []));
    for (const imported of entry.imports ?? []) add(imported);
  };
  add(chunk);
  return { scripts, styles };
}

export function hashesOfInlineScripts(html: string): readonly string[] {
  return [...html.matchAll(/<script>(.*?)<\/script>/gs)].map(([, script = '']) => {
    return `'sha256-${createHash('sha256').update(script).digest('base64')}'`;
  });
}

export function withMarkup(page: string, markup: string): string {
  return page.replace('<div id="root">', () => `<div id="root" data-drawn>${markup}`);
}
