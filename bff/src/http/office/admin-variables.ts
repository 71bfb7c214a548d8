/** What a request of the back office carries: the id that the server gave it. */
export type AdminVariables = { readonly Variables: { requestId: string } };
