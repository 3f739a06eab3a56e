import { findProgram } from '../find-program';

interface ChromiumEnv {
  readonly DSR_TEST_CHROMIUM?: string;
  readonly PATH?: string;
}

/** Where Chromium is: what `DSR_TEST_CHROMIUM` names, else the one of the PATH; `undefined` where there is none. */
export const findChromium = ({ DSR_TEST_CHROMIUM: named, PATH }: ChromiumEnv): string | undefined =>
  findProgram(
    { name: 'chromium', variable: 'DSR_TEST_CHROMIUM', beside: [], places: 'tools/console/get-chromium.sh' },
    named,
    { PATH },
  );
