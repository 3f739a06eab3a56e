/** The shared database of keys, for tools. Whatever it holds is found by its id, so no model declares an index. */
export const keysDatabase = { name: 'keys', models: (): void => {} };
