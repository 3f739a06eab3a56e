import { findChromium } from '../console/chromium';
import { runSuite, workersOf } from './jest';
import { print } from './output';
import { failure, nothing, type Tally } from './tally';

type Env = Readonly<Record<string, string | undefined>>;

/** The console in a real browser, which all of its specs share. */
export async function runConsole(env: Env): Promise<Tally> {
  const chromium = findChromium(env);
  if (chromium !== undefined) return runSuite('console', workersOf.console, { DSR_TEST_CHROMIUM: chromium });
  print('The console was not tried in a browser: there is no chromium (DSR_TEST_CHROMIUM, PATH).');
  return env.DSR_REQUIRE_CONSOLE === '1' ? failure('console: not run, and DSR_REQUIRE_CONSOLE is set') : nothing;
}
