export const pickupTexts = {
  zipCodeHint: 'Where we collect your rugs.',
  chooseDropOff: 'Choose drop-off',
  noDay: 'None of the next days is free. We call you to find one.',
} as const;
