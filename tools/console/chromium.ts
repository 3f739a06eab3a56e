import { findProgram } from '../find-program';

interface ChromiumEnv {
  readonly DSR_TEST_CHROMIUM?: string;
  readonly PATH?: string;
}

/** Debian has the part of Chromium that shows no windows as a program of its own, which takes a third less of the processors. */
const NAMES = ['chromium-headless-shell', 'chromium'];

/** Where Chromium is: what `DSR_TEST_CHROMIUM` names, else the one of the PATH; `undefined` where there is none. */
export function findChromium({ DSR_TEST_CHROMIUM: named, PATH }: ChromiumEnv): string | undefined {
  const places = 'tools/console/get-chromium.sh';
  const find = (name: string) =>
    findProgram({ name, variable: 'DSR_TEST_CHROMIUM', beside: [], places }, named, { PATH });
  return NAMES.map(find).find((found) => found !== undefined);
}
