import type { components } from './operator';

/** What a role may allow, as `x-needs` of the API's document names it. */
export type Permission = components['schemas']['OperatorSession']['roles'][number]['allows'][number];
