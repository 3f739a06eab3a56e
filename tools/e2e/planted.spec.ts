import { PlantedText } from './planted';

const planted = new PlantedText();

it('is found as it is, in either case', () => {
  expect(planted.in(Buffer.from(`a ${planted.text} b`))).toBe(true);
  expect(planted.in(Buffer.from(planted.text.toUpperCase()))).toBe(true);
});

it.each([0, 1, 2, 3, 4, 5])('is found in Base64, after %i other bytes and before any number', (before) => {
  for (const after of [0, 1, 2]) {
    const text = `${'x'.repeat(before)}${planted.text}${'y'.repeat(after)}`;
    expect(planted.in(Buffer.from(`"${Buffer.from(text).toString('base64')}"`))).toBe(true);
    expect(planted.in(Buffer.from(Buffer.from(text).toString('base64url')))).toBe(true);
  }
});

it('is found in hexadecimal', () => {
  expect(planted.in(Buffer.from(Buffer.from(`a${planted.text}`).toString('hex')))).toBe(true);
});

it('is not found in other text', () => {
  expect(planted.in(Buffer.from(`planted${'0'.repeat(16)}`))).toBe(false);
  expect(planted.in(Buffer.from(new PlantedText().text))).toBe(false);
});
