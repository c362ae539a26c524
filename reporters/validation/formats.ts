/** The formats in which a judged document is shown. */
export const validationFormats = ['console', 'json', 'sarif', 'junit'] as const;
export type ValidationFormat = (typeof validationFormats)[number];
