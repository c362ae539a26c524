/** What plain words ask an agent to do. */
export type Wish =
  | 'message'
  | 'ask'
  | 'sign-in'
  | 'fail'
  | 'reject'
  | 'work'
  | 'progress'
  | 'pieces'
  | 'file'
  | 'link'
  | 'data'
  | 'text';

const wishes: readonly (readonly [RegExp, Wish])[] = [
  [/message only/, 'message'],
  [/ask me for/, 'ask'],
  [/sign in/, 'sign-in'],
  [/let this task fail/, 'fail'],
  [/reject this task/, 'reject'],
  [/long time/, 'work'],
  [/report progress/, 'progress'],
  [/piece by piece/, 'pieces'],
  [/small file/, 'file'],
  [/link to a file/, 'link'],
  [/structured data/, 'data'],
];

/** Reads the wish out of a message; the answer to a question of the agent is never a question again. */
export function wishIn(text: string, opensTask: boolean): Wish {
  const wish = wishes.find(([words]) => words.test(text.toLowerCase()))?.[1] ?? 'text';
  return !opensTask && (wish === 'ask' || wish === 'sign-in') ? 'text' : wish;
}

/** Work that takes its time, and can be canceled meanwhile. */
export class SlowWork {
  readonly #ends = new Map<string, () => void>();

  /** Waits so long, milliseconds, or until the task is canceled: then `say` says so, and the answer is true. */
  wait(taskId: string, ms: number, say: () => void): Promise<boolean> {
    return new Promise((resolve) => {
      const end = (canceled: boolean) => {
        clearTimeout(timer);
        this.#ends.delete(taskId);
        if (canceled) say();
        resolve(canceled);
      };
      const timer = ms === Number.POSITIVE_INFINITY ? undefined : setTimeout(() => end(false), ms);
      this.#ends.set(taskId, () => end(true));
    });
  }

  /** Whether there was work to end. */
  cancel(taskId: string): boolean {
    const end = this.#ends.get(taskId);
    end?.();
    return end !== undefined;
  }
}
