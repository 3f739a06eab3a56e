import { chromium, type Browser } from 'playwright-core';
import { findChromium } from '../chromium';

/** The browser of all specs of a run: each visitor has cookies and pages of its own in it. */
export async function openBrowser(): Promise<Browser> {
  const executablePath = findChromium(process.env);
  if (executablePath === undefined) throw new Error('there is no chromium (DSR_TEST_CHROMIUM, PATH)');
  return chromium.launch({ executablePath, chromiumSandbox: process.getuid?.() !== 0 });
}
