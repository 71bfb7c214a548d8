/**
 * More than any list has, and few enough that row numbers stay exact. In a file of its own, because the schemas of
 * queries would make the scripts of every page larger.
 */
export const lastPage = 10_000_000;
