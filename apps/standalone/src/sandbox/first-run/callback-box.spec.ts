import { CallbackBox } from './callback-box';

const callback = (text: string) => ({ at: new Date(0), headers: {}, body: Buffer.from(text) });

it('keeps the last 200 callbacks, and numbers them all', () => {
  const box = new CallbackBox();
  for (let n = 1; n <= 250; n += 1) box.add(callback(String(n)));
  const kept = box.after(0);
  expect([kept.length, kept[0]?.number, kept.at(-1)?.number]).toEqual([200, 51, 250]);
  expect(box.after(249).map(({ body }) => body.toString())).toEqual(['250']);
  expect(box.after(250)).toEqual([]);
});
