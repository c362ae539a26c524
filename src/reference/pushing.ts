import type { Operation, PushConfig } from '../model/index.js';
import type { WireRequest } from '../wire/index.js';
import type { Command, Outcome, RpcCall } from './calls.js';
import { RpcFailure } from './failure.js';
import type { Patch, Seams, World } from './seams.js';

// Short ways to write patches of push notifications.

type PushOp = Extract<Operation, `push${string}`>;
type Of<Op extends PushOp> = Extract<Command, { readonly op: Op }>;

/** Another way to carry out one operation; `usual` is the right one. */
export const executing =
  <Op extends PushOp>(
    op: Op,
    act: (command: Of<Op>, usual: () => Promise<Outcome>, world: World, call: RpcCall) => Outcome | Promise<Outcome>,
  ): Patch =>
  (inner, world) => ({
    async execute(command, call) {
      if (command.op !== op) return inner.execute(command, call);
      return act(command as Of<Op>, () => inner.execute(command, call), world, call);
    },
  });

/** The result of one operation, still canonical. */
export const resulting = <Op extends PushOp>(
  op: Op,
  edit: (result: Extract<Outcome, { op: Op }>['result'], command: Of<Op>, world: World) => unknown,
): Patch =>
  executing(op, async (command, usual, world) => {
    const outcome = await usual();
    return { op, result: edit(outcome.result as never, command, world) } as Outcome;
  });

/** One operation is refused, always or where `when` says so. */
export const refusingPush = (
  op: PushOp,
  failure: RpcFailure['failure'],
  when: (command: Command, world: World) => boolean = () => true,
): Patch =>
  executing(op, (command, usual, world) => {
    if (when(command, world)) throw new RpcFailure(failure);
    return usual();
  });

/** Only events and configurations for which `keeps` holds are notified. */
export const telling =
  (keeps: (event: Parameters<Seams['recipients']>[0], configId: string) => boolean): Patch =>
  (inner) => ({
    recipients: (event, task) => inner.recipients(event, task).filter(({ id }) => keeps(event, id ?? '')),
  });

/** Knows which deliveries of a task are under way, and when the last of them is over. */
export function underWay(world: World): {
  readonly patch: Patch;
  of(taskId: string): boolean;
  over(taskId: string): Promise<void>;
} {
  const open = new Map<string, Set<Promise<void>>>();
  const taskOf = (config: PushConfig): string =>
    world.store.all().find(({ id }) => world.store.configs(id).includes(config))?.id ?? '';
  return {
    of: (taskId) => (open.get(taskId)?.size ?? 0) > 0,
    async over(taskId) {
      for (let now = open.get(taskId); now !== undefined && now.size > 0; now = open.get(taskId))
        await Promise.all(now);
    },
    patch: (inner) => ({
      async deliver(request, config) {
        const id = taskOf(config);
        const set = open.get(id) ?? new Set();
        open.set(id, set);
        const delivery = inner.deliver(request, config);
        set.add(delivery);
        await delivery;
        set.delete(delivery);
      },
    }),
  };
}

/** One attempt over the outbound wire; the status and the location of the answer. Never rejects. */
export async function attempt(
  { outbound, clock }: World,
  request: WireRequest,
): Promise<{ readonly status: number; readonly location: string | undefined }> {
  const patience = new AbortController();
  const stop = clock.after(5000, () => patience.abort());
  try {
    const answer = await outbound?.(request, patience.signal);
    const location = answer?.headers.find(([name]) => name.toLowerCase() === 'location')?.[1];
    // An answer that is not read would keep its connection.
    for await (const _ of answer?.body ?? []) if (patience.signal.aborted) break;
    return { status: answer?.status ?? 0, location };
  } catch {
    return { status: 0, location: undefined };
  } finally {
    stop();
  }
}
