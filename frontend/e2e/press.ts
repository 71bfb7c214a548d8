import { expect, type Frame, type Locator, type Page, type Route } from '@playwright/test';

/**
 * Presses again if the button does not react: Chromium discards a press on a cross-site frame that has moved within the
 * last half second, and a button that moves between press and release gets no click.
 */
export async function press(target: Locator): Promise<void> {
  await expect(target).toBeEnabled();
  const { mouse } = target.page();
  let last = '';
  const isPressed = async () => {
    const before = last;
    last = JSON.stringify(await scrolledIntoWindow(target));
    await target.hover();
    if (last !== before) return false;
    const wasReceived = await watchPress(target);
    await mouse.down();
    const received = await wasReceived();
    // A release elsewhere is no click.
    if (!received) await mouse.move(0, 0);
    await mouse.up();
    return received;
  };
  await expect.poll(isPressed, { intervals: [100] }).toBe(true);
}

/** Unless it is checked. */
export async function choose(target: Locator): Promise<void> {
  if (await target.isChecked()) return;
  await press(target);
  await expect(target).toBeChecked();
}

/** @returns a function that releases these requests. */
export async function hold(page: Page, what: string): Promise<() => void> {
  const { promise: released, resolve: release } = Promise.withResolvers<void>();
  await page.route(what, async (route) => {
    await released;
    await route.continue();
  });
  return release;
}

type Failing = { readonly patterns: readonly string[]; readonly fail: (route: Route) => Promise<void> };

/**
 * Fails these requests until the button is pressed: otherwise a reload in the background takes the button away before.
 * @returns presses it.
 */
export async function failUntilPressed(
  page: Page,
  { patterns, fail }: Failing,
): Promise<(button: Locator) => Promise<void>> {
  let isPressed = async () => false;
  for (const pattern of patterns) {
    await page.route(pattern, async (route) => ((await isPressed()) ? route.continue() : fail(route)));
  }
  return async (button) => {
    const presses = await page.evaluateHandle(() => {
      const received: Event[] = [];
      window.addEventListener('click', (event) => received.push(event), { capture: true });
      return received;
    });
    // Another page has taken its place: the button was pressed before.
    isPressed = () => presses.evaluate(({ length }) => length > 0).catch(() => true);
    await button.click();
  };
}

/** @returns asks whether the element's document has received a press since. */
async function watchPress(target: Locator): Promise<() => Promise<boolean>> {
  const presses = await target.evaluateHandle(() => {
    const received: Event[] = [];
    window.addEventListener('mousedown', (event) => received.push(event), { capture: true, once: true });
    return received;
  });
  return () => presses.evaluate((received) => received.length > 0);
}

/**
 * The browser does not draw a frame outside the window, and Playwright would wait forever.
 * @returns the element's place in the window.
 */
async function scrolledIntoWindow(target: Locator) {
  const windowHeight = target.page().viewportSize()?.height ?? Number.POSITIVE_INFINITY;
  const place = await target.boundingBox();
  if (place !== null && place.y >= 0 && place.y + place.height <= windowHeight) return place;
  await target.evaluate((element) => element.scrollIntoView({ block: 'center', behavior: 'instant' }));
  return await target.boundingBox();
}

/** Then all earlier input and scrolling has had its effect. */
export async function drawn(page: Page | Frame): Promise<void> {
  await page.evaluate(
    () => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(done)))),
  );
}

export async function atRest(target: Locator): Promise<void> {
  let last = '';
  const isSame = async () => {
    const before = last;
    last = JSON.stringify(await target.boundingBox());
    return last === before;
  };
  await expect.poll(isSame, { intervals: [100] }).toBe(true);
}
