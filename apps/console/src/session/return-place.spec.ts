import { keepPlace, takePlace } from './return-place';

function storage(): Storage {
  const items = new Map<string, string>();
  return {
    getItem: (key: string) => items.get(key) ?? null,
    setItem: (key: string, value: string) => void items.set(key, value),
    removeItem: (key: string) => void items.delete(key),
  } as unknown as Storage;
}

it('brings the viewer back once', () => {
  const kept = storage();
  keepPlace(kept, '/requests?status=pending');
  expect([takePlace(kept), takePlace(kept)]).toEqual(['/requests?status=pending', undefined]);
});

it.each(['//evil.example', '/\\evil.example', 'https://evil.example', 'javascript:alert(1)', ''])(
  'does not go to %j',
  (path) => {
    const kept = storage();
    keepPlace(kept, path);
    expect(takePlace(kept)).toBeUndefined();
  },
);
