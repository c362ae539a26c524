/** What a finding says of a member that the schema does not name. */
export const unknownMember = 'is not a member of the schema';
