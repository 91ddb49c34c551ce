import type { Page } from 'playwright-core';

export interface SignIn {
  username: string;
  password: string;
}

/** Fills in the sign-in form of the current page and sends it. */
export async function signIn(page: Page, { username, password }: SignIn): Promise<void> {
  await page.locator('#username').fill(username);
  await page.locator('#password').fill(password);
  await press(page, 'Sign in');
}

/** Clicks the button with this text and waits for the next page. */
export async function press(page: Page, button: string): Promise<void> {
  await Promise.all([
    page.waitForEvent('domcontentloaded'),
    page.getByRole('button', { name: button, exact: true }).click(),
  ]);
}

/** Presses Tab until the matching element has the focus. */
export async function tabTo(page: Page, selector: string): Promise<void> {
  const target = page.locator(selector);
  for (let presses = 0; presses < 15; presses++) {
    if (await target.evaluate((element) => element === element.ownerDocument.activeElement)) return;
    await page.keyboard.press('Tab');
  }
  throw new Error(`${selector} cannot be reached by keyboard.`);
}
