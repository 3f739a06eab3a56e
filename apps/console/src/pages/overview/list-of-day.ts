/** The requests that were received on a day in UTC. */
export const listOfDay = (day: string): string =>
  `/requests?received_from=${day}T00:00:00.000Z&received_to=${day}T23:59:59.999Z`;
