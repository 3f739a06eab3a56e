import { mayBeDone } from './may-be-done';
import { Problem } from './problem';

const problem = (status: number) => new Problem({ status, detail: '' });

it.each([0, -1, 500, 502, 503, 504])('a change that failed with %i may have happened', (status) => {
  expect(mayBeDone(problem(status))).toBe(true);
});

it.each([400, 401, 403, 404, 409, 412, 428, 429])('one that was refused with %i has not', (status) => {
  expect(mayBeDone(problem(status))).toBe(false);
});
