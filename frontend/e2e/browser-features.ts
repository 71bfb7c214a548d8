/**
 * In a full browser each new window draws its address bar's suggestions as two pages of their own:
 * half of what a short test costs.
 */
const addressBarPages = ['WebUIOmniboxPopup', 'WebUIOmniboxAimPopup'];

/**
 * What Playwright switches off in Chromium, as far as there is something to it without a screen on
 * Linux (`chromiumSwitches.ts` of Playwright 1.65). The last list counts alone, so whoever adds to
 * it has to repeat it.
 */
const switchedOffByPlaywright = [
  'AvoidCorsURLLoaderRestartOnRedirect',
  'AvoidUnnecessaryBeforeUnloadCheckSync',
  'AimEnabled',
  'DestroyProfileOnBrowserClose',
  'HttpsFirstBalancedModeAutoEnable',
  'HttpsUpgrades',
  'LensOverlay',
  'MediaRouter',
  'NetworkTimeServiceQuerying',
  'OptimizationHints',
  'PaintHolding',
  'PreconnectToSearch',
  'ThirdPartyStoragePartitioning',
];

export const withoutAddressBarPages = `--disable-features=${[...switchedOffByPlaywright, ...addressBarPages].join(',')}`;
