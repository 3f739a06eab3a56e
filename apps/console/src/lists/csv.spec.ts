import { csvCell, csvOf } from './csv';

it.each([
  ['=1+1', "'=1+1"],
  ['+49 30', "'+49 30"],
  ['-2+3', "'-2+3"],
  ['@SUM(A1)', "'@SUM(A1)"],
  ['\t=1', "'\t=1"],
  ['=HYPERLINK("http://a.example","x")', '"\'=HYPERLINK(""http://a.example"",""x"")"'],
])('keeps %j text in a spreadsheet', (text, cell) => {
  expect(csvCell(text)).toBe(cell);
});

it.each(['-5', '-5.25', '12', 'acme', 'a=b', ''])('leaves %j as it is', (text) => {
  expect(csvCell(text)).toBe(text);
});

it('quotes what would end a cell or a line', () => {
  expect(csvOf(['a', 'b'], [['x,y', 'say "no"\r\nor not']])).toBe('\uFEFFa,b\r\n"x,y","say ""no""\r\nor not"\r\n');
});
