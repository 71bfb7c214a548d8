export const shortcutTexts = {
  title: 'Keyboard shortcuts',
  keys: [
    ['/', 'Search'],
    ['j', 'Next row'],
    ['k', 'Previous row'],
    ['Enter', 'Open the row'],
    ['r', 'Refresh'],
    ['?', 'Show these keys'],
  ],
  on: 'Use single keys on the lists',
  close: 'Close',
} as const;
