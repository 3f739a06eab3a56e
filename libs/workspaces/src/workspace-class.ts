/** Of a workspace for which nobody chose one. */
export const STANDARD_CLASS = 'standard';
export const SANDBOX_CLASS = 'sandbox';

const PATTERN = /^[a-z][a-z0-9-]{0,19}$/;
/** What metrics say of calls without a workspace, and of classes beyond those that they tell apart. */
const TAKEN: readonly string[] = ['none', 'other'];

/**
 * Whether an operator may choose this word for a kind of customers. It is a label of metrics, which are kept for long
 * and read by many: a kind, never a customer.
 */
export const isWorkspaceClass = (text: string): boolean => PATTERN.test(text) && !TAKEN.includes(text);
