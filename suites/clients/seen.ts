import {
  type ClientCall,
  type ClientCheck,
  type ClientRun,
  callName,
  callsOf,
  excerpt,
  header,
  type LawJudgement,
  type Operation,
  standing,
} from '../../src/kit/index.js';

// What checks of clients see in requests.

/** Judges each call; a reason is what is wrong with it. 'skip': it does not concern the check. */
export const eachRealCall = (
  judge: (call: ClientCall, run: ClientRun) => string | 'skip' | undefined,
  ...of: readonly Operation[]
): ClientCheck['judge'] =>
  standing((run) => {
    let isSeen = false;
    for (const call of callsOf(run, ...of)) {
      const wrong = judge(call, run);
      if (wrong === 'skip') continue;
      if (wrong !== undefined) return `${callName(call)}: ${wrong}`;
      isSeen = true;
    }
    return isSeen ? 'holds' : 'not-concerned';
  });

/** The version that a request names, in its header or its query; undefined: none. */
export function versionIn({ exchange: { request } }: ClientCall): string | undefined {
  return header(request.headers, 'a2a-version') ?? new URL(request.url).searchParams.get('A2A-Version') ?? undefined;
}

/** One scenario is judged by one judge, and another, in which the client must be seen to do something, by another. */
export const where = (judges: Readonly<Record<string, ClientCheck['judge']>>): ClientCheck['judge'] =>
  Object.assign((run: ClientRun): LawJudgement => judges[run.scenario]?.(run) ?? 'not-concerned', {
    compares: true,
  } as const);

/** "x4, GET http://127.0.0.1:1/x": a request, for reasons. */
export const named = ({ exchange: { id, request } }: ClientCall): string =>
  `${id}, ${request.method} ${excerpt(request.url, 200)}`;

/** Whether it goes to this URL, or to a path below it. */
export function isBelow({ exchange: { request } }: ClientCall, base: string): boolean {
  const [asked, declared] = [new URL(request.url), new URL(base)];
  const folder = declared.pathname.replace(/\/$/, '');
  return asked.origin === declared.origin && (asked.pathname === folder || asked.pathname.startsWith(`${folder}/`));
}
