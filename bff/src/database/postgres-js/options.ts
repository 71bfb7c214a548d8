/** Options that avoid two flaws; see `README.md`. The types of postgres.js lack `max_pipeline`. */
export const saferOptions = {
  // Reading the array types of a new connection can end the process. `values.ts` names the one
  // array type that is sent.
  fetch_types: false,
  // A `begin` that fills a pipeline is forgotten, so no pipeline is ever full.
  max_pipeline: 1_000_000,
};
