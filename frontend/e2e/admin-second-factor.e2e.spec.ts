import { codeOf, forgetFactors } from '@kilim/lab/testing/second-factor';
import type { Page } from '@playwright/test';
import {
  administrator,
  ageSession,
  alertIn,
  expect,
  expectNoAxeViolations,
  nextQuestion,
  openOrder,
  openRefund,
  placeOrder,
  refundsAtSquare,
  signedOut,
  signInTo,
  test,
  typeCredentials,
} from './back-office.ts';
import type { Shop } from './shop.ts';

// Passkeys need a host name, so these tests open the server as localhost.
test.use({
  storageState: signedOut,
  baseURL: async ({ shop }, use) => use(shop.url.replace('127.0.0.1', 'localhost')),
});

test.beforeEach(({ shop }) => forgetFactors(shop.sql));
// The next spec of this worker signs in with the password alone.
test.afterEach(({ shop }) => forgetFactors(shop.sql));

/**
 * A fingerprint sensor.
 * @returns turns the user's consent on and off, and counts the passkeys on the device.
 */
async function addAuthenticator(page: Page) {
  const devtools = await page.context().newCDPSession(page);
  await devtools.send('WebAuthn.enable');
  const { authenticatorId } = await devtools.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      ...{ protocol: 'ctap2', transport: 'internal', hasResidentKey: true, hasUserVerification: true },
      ...{ isUserVerified: true, automaticPresenceSimulation: true },
    },
  });
  return {
    setConsent: (isUserVerified: boolean) =>
      devtools.send('WebAuthn.setUserVerified', { authenticatorId, isUserVerified }),
    passkeys: async () => (await devtools.send('WebAuthn.getCredentials', { authenticatorId })).credentials.length,
  };
}

const dashboard = (page: Page) => page.getByRole('heading', { name: 'Needs you' });

async function signIn(page: Page) {
  await page.goto('/admin');
  await typeCredentials(page);
  await expect(dashboard(page)).toBeVisible();
}

async function openFactors(page: Page) {
  await page.goto('/admin/password');
  const card = page.getByRole('region', { name: 'Second factor' });
  await expect(card.getByText('You have no second factor yet.')).toBeVisible();
  return card;
}

/** Within seconds the server would refuse an earlier code. */
async function keepClearOfNextCode(page: Page): Promise<void> {
  const left = 30_000 - (Date.now() % 30_000);
  if (left < 5_000) await page.waitForTimeout(left);
}

async function keepCodes(page: Page): Promise<readonly string[]> {
  const list = page.getByRole('list', { name: 'Recovery codes' }).getByRole('listitem');
  await expect(list).toHaveCount(10);
  const codes = await list.allTextContents();
  await page.getByRole('button', { name: 'I have kept the codes' }).click();
  return codes;
}

async function logOut(page: Page) {
  await page.getByRole('button', { name: 'Logout' }).click();
  await expect(page.getByRole('heading', { name: 'Admin sign in' })).toBeVisible();
}

const elevenMinutesLater = (page: Page, shop: Shop) => ageSession(page, shop, 660);

test('a passkey is added, signs in without a password, and confirms a refund', async ({ page, shop }) => {
  const { setConsent, passkeys } = await addAuthenticator(page);
  await signIn(page);
  await signInTo(shop);
  const card = await openFactors(page);
  const sessions = page.getByRole('list', { name: 'Where you are signed in' }).getByRole('listitem');
  await expect(sessions.nth(1)).toBeVisible();
  await expectNoAxeViolations(page);
  await card.getByRole('textbox', { name: 'Name' }).fill(' ');
  await card.getByRole('button', { name: 'Add a passkey' }).click();
  await expect(card.getByRole('textbox', { name: 'Name' })).toHaveAccessibleDescription(/Please enter a name/);
  expect(await passkeys()).toBe(0);
  await card.getByRole('textbox', { name: 'Name' }).fill('Work laptop');
  await card.getByRole('button', { name: 'Add a passkey' }).click();
  const codes = card.getByRole('list', { name: 'Recovery codes' }).getByRole('listitem');
  await expect(codes).toHaveCount(10);
  await expect(sessions).toHaveCount(1);
  await expectNoAxeViolations(page);
  const question = nextQuestion(page, 'dismiss');
  await page.getByRole('tab', { name: 'Orders' }).click();
  expect(await question).toBe('Have you kept the recovery codes? They are shown only now.');
  await expect(codes).toHaveCount(10);
  await keepCodes(page);
  await expect(card.getByRole('list', { name: 'Second factor' })).toContainText('Work laptop');
  await expect(card).toContainText('10 of 10 recovery codes are left. New codes replace the earlier ones.');

  await logOut(page);
  await page.getByRole('button', { name: 'Use a passkey' }).click();
  await expect(dashboard(page)).toBeVisible();

  const { orderId } = await placeOrder(shop, 'Passkey Refund');
  await elevenMinutesLater(page, shop);
  await openOrder(page, orderId);
  const dialog = await openRefund(page);
  await dialog.getByRole('radio', { name: 'Full refund' }).check();
  await dialog.getByRole('combobox', { name: 'Reason' }).fill('Moth damage');
  await dialog.getByRole('button', { name: 'Refund $758.22' }).click();
  await expect(dialog.getByRole('button', { name: 'Use a passkey' })).toBeFocused();
  await expectNoAxeViolations(page);
  await setConsent(false);
  await dialog.getByRole('button', { name: 'Use a passkey' }).click();
  await expect(alertIn(dialog, 'Your browser did not give a passkey.')).toBeVisible();
  await setConsent(true);
  await dialog.getByRole('button', { name: 'Use a passkey' }).click();
  await expect(dialog).toBeHidden();
  expect(await refundsAtSquare(shop, orderId)).toEqual([75_822]);
});

test('a passkey is the second step after the password; a recovery code replaces it', async ({ page, shop }) => {
  await addAuthenticator(page);
  await signIn(page);
  const card = await openFactors(page);
  await card.getByRole('button', { name: 'Add a passkey' }).click();
  const [code = ''] = await keepCodes(page);
  await logOut(page);
  await typeCredentials(page);
  await expect(page.getByRole('heading', { name: 'Second step' })).toBeVisible();
  await expect(page.getByRole('button', { name: 'Use a passkey' })).toBeFocused();
  await page.getByRole('button', { name: 'Use a passkey' }).click();
  await expect(dashboard(page)).toBeVisible();
  await logOut(page);
  await typeCredentials(page);
  await page.getByRole('textbox', { name: 'Code' }).fill(' ');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('textbox', { name: 'Code' })).toHaveAccessibleDescription(/Please enter the code/);
  await page.getByRole('textbox', { name: 'Code' }).fill(code.toUpperCase());
  await page.keyboard.press('Enter');
  await expect(dashboard(page)).toBeVisible();

  await elevenMinutesLater(page, shop);
  await page.goto('/admin/password');
  await card.getByRole('button', { name: 'Make new codes' }).click();
  await page.getByRole('button', { name: 'Use password and code' }).click();
  await expect(page.getByRole('textbox', { name: 'Code' })).toHaveAccessibleDescription('One of your recovery codes.');

  await forgetFactors(shop.sql);
  await page.goto('/admin');
  await page.getByRole('button', { name: 'Use a passkey' }).click();
  await expect(alertIn(page, 'It may have been removed.')).toBeVisible();
});

test('an authenticator app is added, asked for at sign-in and before a new password, and removed', async ({
  page,
  shop,
}) => {
  await signIn(page);
  const card = await openFactors(page);
  await card.getByRole('button', { name: 'Add an authenticator app' }).click();
  await expect(card.getByRole('img', { name: 'QR code for the authenticator app' })).toBeVisible();
  await expectNoAxeViolations(page);
  const secret = ((await card.getByText(/^Key:/).textContent()) ?? '').replaceAll(/^Key:|\s/g, '');
  const firstCode = card.getByRole('textbox', { name: 'Code that the app shows now' });
  await card.getByRole('button', { name: 'Add the app' }).click();
  await expect(firstCode).toHaveAccessibleDescription(/Please enter the code/);
  await firstCode.fill('000000');
  await card.getByRole('button', { name: 'Add the app' }).click();
  await expect(firstCode).toHaveAccessibleDescription(/This code is not correct./);
  // The next two codes serve the sign-in and the new password.
  await keepClearOfNextCode(page);
  await firstCode.fill(codeOf(secret, -1));
  await card.getByRole('button', { name: 'Add the app' }).click();
  await keepCodes(page);

  await logOut(page);
  await typeCredentials(page);
  await expect(page.getByRole('textbox', { name: 'Code' })).toBeFocused();
  await expectNoAxeViolations(page);
  await page.getByRole('textbox', { name: 'Code' }).fill('000000');
  await page.keyboard.press('Enter');
  await expect(alertIn(page, 'This code is not correct.')).toBeVisible();
  await page.getByRole('textbox', { name: 'Code' }).fill(codeOf(secret));
  await page.keyboard.press('Enter');
  await expect(dashboard(page)).toBeVisible();

  await elevenMinutesLater(page, shop);
  await page.goto('/admin/password');
  await page.getByRole('textbox', { name: 'Current Password' }).fill(administrator.password);
  await page.getByRole('textbox', { name: 'New Password' }).fill(administrator.password);
  await page.getByRole('textbox', { name: 'Confirm Password' }).fill(administrator.password);
  await page.getByRole('button', { name: 'Update Password' }).click();
  const dialog = page.getByRole('dialog', { name: 'Change the password' });
  await dialog.getByRole('textbox', { name: 'Password' }).fill(administrator.password);
  await dialog.getByRole('textbox', { name: 'Code' }).fill(codeOf(secret, 1));
  await dialog.getByRole('button', { name: 'Continue' }).click();
  await expect(page.getByText('Password updated successfully!')).toBeVisible();

  page.on('dialog', (question) => void question.accept());
  await card.getByRole('button', { name: 'Rename Authenticator app' }).click();
  await card.getByRole('textbox', { name: 'Name' }).first().fill('Old phone');
  await page.keyboard.press('Enter');
  await card.getByRole('button', { name: 'Remove Old phone' }).click();
  await expect(card.getByText('You have no second factor yet.')).toBeVisible();
});

test('at an IP address the page says where passkeys work', async ({ page, shop }) => {
  const atAddress = shop.officeUrl.replace('localhost', '127.0.0.1');
  await page.goto(`${atAddress}/admin`);
  await expect(page.getByRole('button', { name: 'Use a passkey' })).toBeHidden();
  await typeCredentials(page);
  await expect(dashboard(page)).toBeVisible();
  await page.goto(`${atAddress}/admin/password`);
  await expect(page.getByText('an IP address cannot have passkeys')).toBeVisible();
  const address = `${shop.officeUrl}/admin`;
  await expect(page.getByRole('link', { name: address })).toHaveAttribute('href', address);
});
