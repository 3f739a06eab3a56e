const quote = 0x22;
const colon = 0x3a;
const backslash = 0x5c;

function endOfString(text: string, from: number): number {
  let at = from;
  for (let code = text.charCodeAt(at); at < text.length && code !== quote; code = text.charCodeAt(at))
    at += code === backslash ? 2 : 1;
  return at;
}

interface ShapeLimits {
  readonly depth: number;
  readonly keys: number;
}

export function excessOf(text: string, limits: ShapeLimits): 'depth' | 'keys' | undefined {
  let depth = 0;
  let keys = 0;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === quote) at = endOfString(text, at + 1);
    else if (code === 0x5b || code === 0x7b) depth++;
    else if (code === 0x5d || code === 0x7d) depth--;
    // A colon outside of strings always follows a key.
    else if (code === colon) keys++;
    if (depth > limits.depth) return 'depth';
    if (keys > limits.keys) return 'keys';
  }
  return undefined;
}

const LONG_NUMBER = 16;
const ASCII = 128;

const inNumber = new Uint8Array(ASCII);
for (const sign of '0123456789+-.eE') inNumber[sign.charCodeAt(0)] = 1;

/** Where numbers of 16 characters or more begin and end in JSON text. */
export function longNumbers(text: string): [start: number, end: number][] {
  const found: [number, number][] = [];
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === quote) at = endOfString(text, at + 1);
    else if (inNumber[code] === 1) {
      const start = at;
      at = endOfNumber(text, at + 1) - 1;
      if (at + 1 - start >= LONG_NUMBER) found.push([start, at + 1]);
    }
  }
  return found;
}

function endOfNumber(text: string, from: number): number {
  let at = from;
  while (at < text.length && inNumber[text.charCodeAt(at)] === 1) at++;
  return at;
}
