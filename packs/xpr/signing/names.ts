/**
 * Whether a text can be the name of an account: one to twelve of `a` to `z`, `1` to `5` and dots, the last no dot
 * (a node refuses names that are not normalised). XPR: texts of keys and names.
 */
export const isAccountName = (text: string): boolean => /^[a-z1-5.]{0,11}[a-z1-5]$/.test(text);
