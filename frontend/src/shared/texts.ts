/** The texts that several features share. */
export const sharedTexts = {
  notifications: 'Notifications (F8)',
  dismiss: 'Dismiss',
  skipToContent: 'Skip to content',
  offline: 'You are offline. What you have entered is kept on this device; nothing is sent until you are online again.',
  loading: 'Loading',
  loadFailedTitle: 'This page could not be loaded',
  loadFailedOffline: 'You seem to be offline. Check your connection and try again.',
  loadFailedHint: 'Our server did not answer as expected. Nothing you entered is lost.',
  tryAgain: 'Try again',
  errorSummaryTitle: 'There is a problem',
  errorTitlePrefix: 'Error: ',
  home: (business: string) => `${business}, home`,
  callUs: (phone: string) => `Call ${phone}`,
  copyright: (business: string) => `${business}. Rugs cleaned by hand.`,
} as const;
