import type { Page } from 'playwright-core';

/** What became of markup that others wrote (`MARKUP`), where the page took it for more than text. */
export async function runMarkupOn(page: Page): Promise<string[]> {
  const [isRun, isElement] = [
    (await page.evaluate('window.planted')) !== undefined,
    (await page.locator('img[onerror]').count()) > 0,
  ];
  return [...(isRun ? ['markup was run'] : []), ...(isElement ? ['markup is an element'] : [])];
}
