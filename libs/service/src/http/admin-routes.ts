/** What asks a process how it is. */
export const isAdminOwnRoute = (pattern: string): boolean => ['/livez', '/readyz', '/metrics'].includes(pattern);

/** Whether the pattern of a route belongs to the admin listener. */
export const isAdminRoute = (pattern: string): boolean => pattern.startsWith('/internal/') || isAdminOwnRoute(pattern);
