export const isAdminOwnRoute = (pattern: string): boolean => ['/livez', '/readyz', '/metrics'].includes(pattern);

export const isAdminRoute = (pattern: string): boolean => pattern.startsWith('/internal/') || isAdminOwnRoute(pattern);
