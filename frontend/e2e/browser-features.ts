/**
 * In headed Chromium each new window loads two extra pages for address bar suggestions. They double
 * the time of a short test.
 */
const addressBarPages = ['WebUIOmniboxPopup', 'WebUIOmniboxAimPopup'];

/**
 * The features that Playwright disables, without those that do not exist in headless mode on Linux
 * (`chromiumSwitches.ts` of Playwright 1.65). Chromium uses only the last `--disable-features`, so
 * our list must repeat them.
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
