import { type ThemeConfig, theme } from 'antd';
import darkSheet from '../../../dark.css?raw';
import themeSheet from '../../../theme.css?raw';

/**
 * antd's colours, and its derived tints, fail WCAG AA in many places, so this theme sets each colour that carries text
 * after antd's own algorithm.
 */
export function adminTheme(dark: boolean): ThemeConfig {
  const tokens = designTokens(dark);
  const of = (name: string) => tokens.get(name) ?? '';
  const base = dark ? theme.darkAlgorithm : theme.defaultAlgorithm;
  // A primary button's text is white, so the light colour of links does not fit. On hover antd would lighten it below
  // white's contrast.
  const primary = dark
    ? { colorPrimary: '#5263c4', colorPrimaryHover: '#4a5ab6', colorPrimaryActive: '#4250a3' }
    : {
        colorPrimary: of('indigo'),
        colorPrimaryHover: of('indigo-pressed'),
        colorPrimaryActive: of('indigo-pressed'),
      };
  return {
    algorithm: (seed, derived) => ({ ...base(seed, derived), ...colours(tokens), ...primary }),
    token: {
      colorPrimary: primary.colorPrimary,
      fontFamily: of('sans'),
      fontSize: 16,
      borderRadius: 10,
      controlHeight: 44,
      controlHeightLG: 48,
      controlHeightSM: 36,
      colorLink: of('indigo'),
      colorLinkHover: of('indigo-pressed'),
      colorLinkActive: of('indigo-pressed'),
      linkDecoration: 'underline',
      colorTextPlaceholder: of('ink-soft'),
      colorTextDescription: of('ink-soft'),
      colorTextDisabled: of('ink-soft'),
      colorIcon: of('ink-soft'),
      motion: false,
    },
    components: {
      Button: {
        defaultBg: of('surface'),
        fontWeight: 600,
        primaryShadow: 'none',
        defaultShadow: 'none',
        dangerColor: dark ? of('paper') : '#fff',
      },
      Input: { activeShadow: 'none' },
    },
  };
}

function colours(tokens: DesignTokens) {
  const of = (name: string) => tokens.get(name) ?? '';
  return {
    colorInfo: of('indigo'),
    colorInfoBg: of('indigo-tint'),
    colorError: of('madder'),
    colorErrorHover: of('madder'),
    colorErrorActive: of('madder'),
    colorErrorText: of('madder'),
    colorErrorBg: of('madder-tint'),
    colorErrorBorder: of('madder'),
    colorSuccess: of('completed'),
    colorSuccessBg: of('completed-tint'),
    colorSuccessBorder: of('completed'),
    colorWarning: of('pending'),
    colorWarningBg: of('pending-tint'),
    colorWarningBorder: of('pending'),
    colorText: of('ink'),
    colorTextSecondary: of('ink-soft'),
    colorTextTertiary: of('ink-soft'),
    colorTextQuaternary: of('ink-soft'),
    colorBorder: of('line'),
    colorBorderSecondary: of('rule'),
    colorBgBase: of('paper'),
    colorBgLayout: of('paper'),
    colorBgContainer: of('surface'),
    colorBgElevated: of('surface'),
    colorBgContainerDisabled: of('wool'),
  };
}

/** By name (`ink`, `indigo-tint`), read from the style sheets that define them. */
type DesignTokens = ReadonlyMap<string, string>;

const day = readTokens(themeSheet);
const night: DesignTokens = new Map([...day, ...readTokens(darkSheet)]);

function designTokens(dark: boolean): DesignTokens {
  return dark ? night : day;
}

/** Every `--name: value;` of a sheet with plain values. */
function readTokens(sheet: string): DesignTokens {
  return new Map(
    [...sheet.matchAll(/--(\w[\w-]*):\s*([^\s;][^;]*);/g)].map(([, name = '', value = '']) => [name, value]),
  );
}
