export const handOverTexts = {
  opening:
    'Your payment opens in the whole window, on a page that only we can see into. If it does not, press the button.',
  back: 'Your payment opens in the whole window, on a page that only we can see into. If you have already paid there, your order is complete and there is nothing left to do here.',
  onward: 'Continue to payment',
  startAnew: 'Start a new order',
};
