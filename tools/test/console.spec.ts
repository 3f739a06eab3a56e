import { runConsole } from './console';
import { nothing } from './tally';

const withoutChromium = { PATH: '/no/such/folder' };

it('says in one line that there is no browser', async () => {
  const printed = jest.spyOn(console, 'log').mockImplementation();
  expect(await runConsole(withoutChromium)).toEqual(nothing);
  expect(printed.mock.calls).toEqual([[expect.stringContaining('there is no chromium')]]);
  printed.mockRestore();
});

it('is a failure without a browser where DSR_REQUIRE_CONSOLE is 1', async () => {
  const printed = jest.spyOn(console, 'log').mockImplementation();
  expect((await runConsole({ ...withoutChromium, DSR_REQUIRE_CONSOLE: '1' })).failed).toBe(1);
  printed.mockRestore();
});

it('refuses a chromium that was named and is none', async () => {
  await expect(runConsole({ DSR_TEST_CHROMIUM: '/no/such/file' })).rejects.toThrow('DSR_TEST_CHROMIUM');
});
