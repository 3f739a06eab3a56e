/** A filter of all ids that begin with `key` and a `|`, answered by the index of `_id` alone. */
export const idPrefixRange = (key: string): { readonly $gte: string; readonly $lt: string } => ({
  $gte: `${key}|`,
  // `}` is the character after `|`.
  $lt: `${key}}`,
});
