import { json, requestBody, type StatusRecord } from './controller';
import { awaitResult } from './follow';
import { identitiesOf, somebody, ingestPerson, type Rule } from './world';

/**
 * decision 4: identities, extensions and callback addresses are sealed before the first write, and never logged. It
 * comes after everything that plants.
 */
export function privacyRules(rule: Rule): void {
  rule('no planted text of requests and events is found in stores, records or output', async (world) => {
    const person = somebody(world);
    await ingestPerson(world, person);
    const group_id = `letters to ${world.planted.text}`;
    const body = requestBody({ subject_identities: identitiesOf(person), group_id });
    await world.controller.create(body);
    await awaitResult(world.controller, body.subject_request_id);
    expect(await world.controller.status(body.subject_request_id)).toMatchObject({ group_id });
    expect(json<StatusRecord[]>(await world.controller.list(group_id))).toMatchObject([
      { subject_request_id: body.subject_request_id, group_id },
    ]);

    const places = new Map<string, { items: number; withId: number }>();
    const leaks = new Set<string>();
    for await (const { place, where, bytes } of world.service.kept()) {
      const { items, withId } = places.get(place) ?? { items: 0, withId: 0 };
      places.set(place, { items: items + 1, withId: withId + (bytes.includes(body.subject_request_id) ? 1 : 0) });
      if (world.planted.in(bytes)) leaks.add(`${place} ${where}`);
    }
    expect([...leaks]).toEqual([]);
    // The request's id may stay: if it is missing, the search was in the wrong place.
    for (const [place, { items, withId }] of places) {
      expect({ place, items: items > 0, withId: place === 'log' || withId > 0 }).toEqual({
        place,
        items: true,
        withId: true,
      });
    }
    expect(places.size).toBeGreaterThan(1);
  });
}
