import { member } from '../../../../src/model/index.js';
import { jsonReply, plainReply, type Reply } from '../../../../src/reference/patching.js';
import type { FailureMode } from '../../signing/index.js';
import type { Question } from './answers.js';
import { ChainRefusal, refusalBody } from './refusal.js';
import { agentRow, kycRow } from './rows.js';

/** Longer than the 5 s that callers of the published library wait. */
export const slowMs = 8000;

/** An account without an owner: an agent that takes its rows for those of another account accepts any caller. */
const stranger = 'somebodyelse';

const page = '<!DOCTYPE html>\n<html><head><title>Welcome</title></head><body><h1>It works!</h1></body></html>\n';

/** The members that callers read, with values of wrong types. */
const wrongShapes: { readonly [Asked in Question]: unknown } = {
  get_account: { account_name: 7, permissions: 'active' },
  get_table_rows: { rows: 'none', more: 'no', next_key: 0 },
  get_info: { chain_id: 71, head_block_time: false },
};

function foreignRows(body: unknown): Reply {
  const row =
    member(body, 'table') === 'usersinfo'
      ? kycRow({ account: stranger, verified: 1, kyc: [3] })
      : agentRow({ account: stranger, active: 1, registeredAt: 1_600_000_000 }, 0);
  return jsonReply(200, { rows: [row], more: false, next_key: '' });
}

/** What comes in place of the answer; undefined: the answer. */
export function failing(mode: FailureMode, question: Question | undefined, body: unknown): Reply | undefined {
  switch (mode) {
    case 'down':
      return { ...plainReply(503, 'down'), fate: 'reset' };
    case 'slow':
      return undefined;
    case 'html':
      return { status: 200, headers: [['content-type', 'text/html; charset=utf-8']], body: page };
    case 'not-found':
      return jsonReply(200, refusalBody(new ChainRefusal('unknownEndpoint', 'Unknown Endpoint')).body);
    case 'wrong-shape':
      return jsonReply(200, question === undefined ? [] : wrongShapes[question]);
    case 'null':
      return jsonReply(200, null);
    case 'foreign-row':
      return question === 'get_table_rows' ? foreignRows(body) : undefined;
    case 'server-error':
      return plainReply(500, 'Internal server error');
  }
}
