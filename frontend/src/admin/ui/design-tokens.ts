import darkSheet from '../../dark.css?raw';
import themeSheet from '../../theme.css?raw';

/** The colours of the design by name (`ink`, `indigo-tint`), read from the style sheets that define them. */
export type DesignTokens = ReadonlyMap<string, string>;

const day = readTokens(themeSheet);
const night: DesignTokens = new Map([...day, ...readTokens(darkSheet)]);

export function designTokens(dark: boolean): DesignTokens {
  return dark ? night : day;
}

/** Every `--name: value;` of a sheet whose tokens are plain values. */
function readTokens(sheet: string): DesignTokens {
  return new Map(
    [...sheet.matchAll(/--(\w[\w-]*):\s*([^\s;][^;]*);/g)].map(([, name = '', value = '']) => [name, value]),
  );
}
