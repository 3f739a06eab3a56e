/**
 * Ids are text, so those that begin alike stand side by side: a filter of all that begin with `key` and a `|`, answered by the index of
 * `_id` alone.
 */
export const idPrefixRange = (key: string): { readonly $gte: string; readonly $lt: string } => ({
  $gte: `${key}|`,
  // `}` is the character after `|`.
  $lt: `${key}}`,
});
