import { expect, test } from 'vitest';
import { accountForms } from './account-forms.js';
import * as xprText from './signing/index.js';

const other = 'tckstranger1';

test.each(['alice', 'a', '12345', 'bbb', 'a.b', 'abcdefghij12'])('no form of %s is the account', (name) => {
  for (const [about, text] of accountForms(name, other)) {
    const isName = xprText.isAccountName(text);
    // A name without letters has no upper case. A dot in front makes the name of another account.
    if (about === 'upper case' && text === name) continue;
    expect([about, isName && text !== `.${name}`]).toEqual([about, false]);
    // A header carries each character as one byte, and drops white space around.
    expect([about, /^[ -~\u00a0-\u00ff]*$/.test(text), text.trim()]).toEqual([about, true, text]);
  }
});
