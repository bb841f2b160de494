export const tables = () => '';
