import { entityTag, namesTag } from './entity-tag';

const tag = entityTag(Buffer.from('a'));

it('is one tag for the same bytes, strong and quoted, and another for others', () => {
  expect(tag).toMatch(/^"[\w-]{43}"$/);
  expect(entityTag(Buffer.from('a'))).toBe(tag);
  expect(entityTag(Buffer.from('b'))).not.toBe(tag);
});

it.each([tag, `W/${tag}`, '*', ' * ', `"other", ${tag}`, `"other",W/${tag},"more"`, `"a,b" , \t${tag}`, `, ,${tag},`])(
  'is named by %s',
  (header) => {
    expect(namesTag(header, tag)).toBe(true);
  },
);

it.each([
  undefined,
  '',
  '"other"',
  'W/"other", "more"',
  tag.slice(1, -1),
  tag.toLowerCase(),
  `w/${tag}`,
  `x${tag}`,
  `${tag}x`,
  `"*"`,
  tag.replace('"', '" '),
])('is not named by %s', (header) => {
  expect(namesTag(header, tag)).toBe(false);
});
