const NAMES: readonly string[] = ['localhost', '127.0.0.1', '[::1]'];

export const isThisMachine = ({ hostname }: Pick<URL, 'hostname'>): boolean => NAMES.includes(hostname);
