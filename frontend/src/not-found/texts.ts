/** Heading and hint are the specification's (section 2). */
export const notFoundTexts = {
  heading: '404 Page Not Found',
  hint: 'Did you forget to add the page to the router?',
  home: 'Go to the home page',
} as const;
