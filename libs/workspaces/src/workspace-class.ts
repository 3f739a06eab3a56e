export const STANDARD_CLASS = 'standard';
export const SANDBOX_CLASS = 'sandbox';

const PATTERN = /^[a-z][a-z0-9-]{0,19}$/;
/** Metrics use these for calls without a workspace and for further classes. */
const TAKEN: readonly string[] = ['none', 'other'];

/** Whether text can be a class, which metrics show: a kind of customers, never one customer. */
export const isWorkspaceClass = (text: string): boolean => PATTERN.test(text) && !TAKEN.includes(text);
