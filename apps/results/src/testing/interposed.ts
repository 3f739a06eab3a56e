/** The same stores, with an action before or after the first call of a method. */
export function interposed<S extends Readonly<Record<string, object>>>(
  stores: S,
  when: { readonly verb: { [K in keyof S]: keyof S[K] }[keyof S]; readonly is: 'before' | 'after' },
  happens: () => Promise<void>,
): S {
  let hasHappened = false;
  const once = async (): Promise<void> => {
    if (hasHappened) return;
    hasHappened = true;
    await happens();
  };
  const watched = (store: object): object =>
    new Proxy(store, {
      get: (target, name) => {
        const member: unknown = Reflect.get(target, name, target);
        if (name !== when.verb || typeof member !== 'function')
          return typeof member === 'function' ? (member.bind(target) as unknown) : member;
        return async (...args: unknown[]): Promise<unknown> => {
          if (when.is === 'before') await once();
          const answer: unknown = await Reflect.apply(member, target, args);
          if (when.is === 'after') await once();
          return answer;
        };
      },
    });
  return Object.fromEntries(Object.entries(stores).map(([name, store]) => [name, watched(store)])) as S;
}
