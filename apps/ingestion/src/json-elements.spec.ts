import { jsonElements } from './json-elements';

const texts = (json: string): string[] => jsonElements(Buffer.from(json)).map(String);

describe('the elements of a JSON array, and the members of an object', () => {
  it.each([
    ['[]', []],
    [' [ \n ] ', []],
    ['[{}]', ['{}']],
    ['[ {"a": 1.50 } ,\r\n\t{"b":12345678901234567890}\n]', ['{"a": 1.50 }', '{"b":12345678901234567890}']],
    ['[1,"",null , [ 2 , [3] ] ]', ['1', '""', 'null', '[ 2 , [3] ]']],
    ['\uFEFF[{"a":[]}]', ['{"a":[]}']],
    [' { "a" : 1.50 ,\n"b":{"c":[2,3]} } ', ['"a" : 1.50', '"b":{"c":[2,3]}']],
  ])('of %j are its unchanged bytes', (json, expected) => {
    expect(texts(json)).toEqual(expected);
  });

  it.each(['"],["', '"\\"],{"', '"\\\\"', '"\\\\\\","', '"{[,"', '"Ünïcödé ⟧ 漢字 🦉"', '{"],":{"\\"":"}"}}'])(
    'do not end within the string of %s',
    (element) => {
      expect(texts(`[${element} , {"x":${element}},${element}]`)).toEqual([element, `{"x":${element}}`, element]);
    },
  );

  it('are equal to those of the parsed array', () => {
    const pieces = ['"', '\\', ',', '[', ']', '{', '}', ' ', '\n', 'é', '🦉', 'a'];
    const seeded = (seed: number) => () => (seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648) / 2_147_483_648;
    const chance = seeded(5);
    const pick = (count: number): number => Math.floor(chance() * count);
    const string = (): string => Array.from({ length: pick(6) }, () => pieces[pick(pieces.length)]).join('');
    const value = (depth: number): unknown => {
      if (depth > 3 || pick(3) === 0) return [string(), pick(1_000), null, true][pick(4)];
      if (pick(2) === 0) return Array.from({ length: pick(4) }, () => value(depth + 1));
      return Object.fromEntries(Array.from({ length: pick(4) }, () => [string(), value(depth + 1)]));
    };
    for (let round = 0; round < 500; round += 1) {
      const array = Array.from({ length: pick(5) }, () => value(1));
      expect(texts(JSON.stringify(array, null, pick(3))).map((text) => JSON.parse(text) as unknown)).toEqual(array);
    }
  });
});
