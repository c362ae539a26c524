/** The bindings that the kit speaks, by the names that options and requirement rows have for them. */
export const bindingIds = ['jsonrpc', 'http+json', 'grpc'] as const;
export type BindingId = (typeof bindingIds)[number];
