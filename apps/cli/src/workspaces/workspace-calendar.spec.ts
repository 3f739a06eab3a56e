import { World } from '../testing/world';
import { workspacesCalendar } from './workspace-calendar.command';

const CALENDAR = 'workspaces calendar --workspace sandbox';

let world: World;
const say = (line: string) => world.say([workspacesCalendar], line);

beforeEach(async () => {
  world = await World.open();
});
afterEach(() => world.close());

it('shows how a workspace counts that has not said so', async () => {
  expect(await say(CALENDAR)).toEqual({
    code: 0,
    out: ['time-zone  UTC', 'holidays  none', 'gdpr-days  law', 'ccpa-days  law', 'clock-start  submitted'],
    err: [],
  });
});

it('sets what is given and leaves the rest', async () => {
  await say(`${CALENDAR} --time-zone Europe/Berlin --holidays 2026-12-26,2026-12-25 --gdpr-days 14`);
  const set = await say(`${CALENDAR} --clock-start received --ccpa-days 30 --json`);
  expect(JSON.parse(set.out[0] ?? '')).toEqual({
    workspace: 'sandbox',
    timeZone: 'Europe/Berlin',
    holidays: ['2026-12-25', '2026-12-26'],
    shorterDays: { gdpr: 14, ccpa: 30 },
    clockStart: 'received',
  });
  const back = await say(`${CALENDAR} --holidays none --gdpr-days law`);
  expect(back.out.slice(1, 4)).toEqual(['holidays  none', 'gdpr-days  law', 'ccpa-days  30']);
});

it.each([
  ['--time-zone +01:00', '--time-zone: must be the name of a time zone, such as Europe/Berlin'],
  ['--time-zone Europe/Atlantis', '--time-zone: must be the name of a time zone, such as Europe/Berlin'],
  ['--holidays 2026-02-29', '--holidays: must be days such as 2026-12-25,2026-12-26, or none'],
  ['--gdpr-days 28', '--gdpr-days: must be a whole number from 1 to 27'],
  ['--ccpa-days 45', '--ccpa-days: must be a whole number from 1 to 44'],
  ['--gdpr-days 0', '--gdpr-days: must be a whole number from 1 to 27'],
  ['--clock-start later', '--clock-start: must be one of submitted, received'],
])('refuses %s with what it expects, and changes nothing', async (options, why) => {
  const { code, err } = await say(`${CALENDAR} ${options}`);
  expect([code, err.join('\n')]).toEqual([2, expect.stringContaining(why)]);
  expect((await say(CALENDAR)).out).toContain('gdpr-days  law');
});

it('knows no workspace that there is not, and shows the calendar of none', async () => {
  for (const more of ['', ' --gdpr-days 14'])
    expect(await say(`workspaces calendar --workspace elsewhere${more}`)).toEqual({
      code: 1,
      out: [],
      err: ['there is no workspace elsewhere'],
    });
});
