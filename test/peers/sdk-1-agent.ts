import { randomUUID } from 'node:crypto';
import type { UntypedServiceImplementation } from '@grpc/grpc-js';
import { type AgentCard, type Message, type Part, Role, TaskState } from 'a2a-sdk-1';
import {
  AgentEvent,
  type AgentExecutor,
  DefaultRequestHandler,
  type ExecutionEventBus,
  InMemoryTaskStore,
  type RequestContext,
} from 'a2a-sdk-1/server';
import { agentCardHandler, jsonRpcHandler, restHandler, UserBuilder } from 'a2a-sdk-1/server/express';
import { A2AService, UserBuilder as GrpcUserBuilder, grpcService } from 'a2a-sdk-1/server/grpc';
import { type Peer, startExpress, withCardBeside } from './express-server.js';
import { startGrpc } from './grpc-server.js';
import { SlowWork, wishIn } from './plain-words.js';

const mediaTypes = ['text/plain', 'application/json'];

const textOf = (message: Message): string =>
  message.parts.map(({ content }) => (content?.$case === 'text' ? content.value : '')).join(' ');

const part = (content: NonNullable<Part['content']>, mediaType: string, filename = ''): Part => ({
  content,
  mediaType,
  filename,
  metadata: undefined,
});

class WordDrivenExecutor implements AgentExecutor {
  readonly #work = new SlowWork();
  readonly #contexts = new Map<string, string>();

  async execute(context: RequestContext, bus: ExecutionEventBus): Promise<void> {
    const { taskId, contextId, userMessage, task } = context;
    const text = textOf(userMessage);
    const wish = wishIn(text, task === undefined);
    if (wish === 'message') {
      bus.publish(AgentEvent.message({ ...say('Just a message.', '', contextId) }));
      return;
    }
    this.#contexts.set(taskId, contextId);
    // The SDK wants a task as the first event of every turn.
    bus.publish(
      AgentEvent.task({
        id: taskId,
        contextId,
        status: { state: TaskState.TASK_STATE_SUBMITTED, message: undefined, timestamp: new Date().toISOString() },
        artifacts: task?.artifacts ?? [],
        history: task?.history ?? [userMessage],
        metadata: undefined,
      }),
    );
    const status = (state: TaskState, words?: string) => publishStatus(bus, taskId, contextId, state, words);
    const artifact = (artifactId: string, content: Part, append = false, lastChunk = true) =>
      bus.publish(
        AgentEvent.artifactUpdate({
          taskId,
          contextId,
          artifact: {
            artifactId,
            name: 'answer',
            description: '',
            parts: [content],
            metadata: undefined,
            extensions: [],
          },
          append,
          lastChunk,
          metadata: undefined,
        }),
      );
    const answer = (content: Part) => {
      artifact(randomUUID(), content);
      status(TaskState.TASK_STATE_COMPLETED, 'Done.');
    };
    const wait = (ms: number) => this.#work.wait(taskId, ms, () => status(TaskState.TASK_STATE_CANCELED, 'Canceled.'));
    status(TaskState.TASK_STATE_WORKING);
    if (wish === 'ask') status(TaskState.TASK_STATE_INPUT_REQUIRED, 'Which colour?');
    else if (wish === 'sign-in') status(TaskState.TASK_STATE_AUTH_REQUIRED, 'Please sign in.');
    else if (wish === 'fail') status(TaskState.TASK_STATE_FAILED, 'It failed, as asked.');
    else if (wish === 'reject') status(TaskState.TASK_STATE_REJECTED, 'Rejected, as asked.');
    else if (wish === 'work') await wait(Number.POSITIVE_INFINITY);
    else if (wish === 'progress') {
      for (const percent of [20, 40, 60, 80]) {
        if (await wait(250)) break;
        status(TaskState.TASK_STATE_WORKING, `${percent} %`);
        if (percent === 80) answer(part({ $case: 'text', value: 'That took its time.' }, 'text/plain'));
      }
    } else if (wish === 'pieces') {
      const id = randomUUID();
      const pieces = ['Once ', 'upon ', 'a time.'];
      for (const [index, value] of pieces.entries()) {
        const isLast = index === pieces.length - 1;
        artifact(id, part({ $case: 'text', value }, 'text/plain'), index > 0, isLast);
        if (await wait(20)) break;
        if (isLast) status(TaskState.TASK_STATE_COMPLETED, 'Done.');
      }
    } else if (wish === 'file') answer(part({ $case: 'raw', value: Buffer.from('hello') }, 'text/plain', 'a.txt'));
    else if (wish === 'link') answer(part({ $case: 'url', value: 'https://example.com/a.txt' }, 'text/plain'));
    else if (wish === 'data') answer(part({ $case: 'data', value: { answer: 42 } }, 'application/json'));
    else answer(part({ $case: 'text', value: `You said: ${text}` }, 'text/plain'));
  }

  cancelTask = async (taskId: string, bus: ExecutionEventBus): Promise<void> => {
    if (this.#work.cancel(taskId)) return;
    // A task that waits for the client: nothing is at work that could say so itself.
    publishStatus(bus, taskId, this.#contexts.get(taskId) ?? '', TaskState.TASK_STATE_CANCELED, 'Canceled.');
  };
}

const say = (words: string, taskId: string, contextId: string): Message => ({
  messageId: randomUUID(),
  role: Role.ROLE_AGENT,
  parts: [part({ $case: 'text', value: words }, 'text/plain')],
  taskId,
  contextId,
  metadata: undefined,
  extensions: [],
  referenceTaskIds: [],
});

function publishStatus(bus: ExecutionEventBus, taskId: string, contextId: string, state: TaskState, words?: string) {
  const message = words === undefined ? undefined : say(words, taskId, contextId);
  bus.publish(
    AgentEvent.statusUpdate({
      taskId,
      contextId,
      status: { state, message, timestamp: new Date().toISOString() },
      metadata: undefined,
    }),
  );
}

const cardOf = (
  url: string,
  versions: readonly string[],
  protocolBinding: 'JSONRPC' | 'HTTP+JSON' | 'GRPC',
): AgentCard => ({
  name: 'SDK 1 agent',
  description: 'An agent on @a2a-js/sdk 1 that does what plain words ask for.',
  supportedInterfaces: versions.map((protocolVersion) => ({ url, protocolBinding, protocolVersion, tenant: '' })),
  provider: undefined,
  version: '1.0.0',
  capabilities: { streaming: true, pushNotifications: true, extensions: [] },
  securitySchemes: {},
  securityRequirements: [],
  defaultInputModes: mediaTypes,
  defaultOutputModes: mediaTypes,
  skills: [
    {
      id: 'echo',
      name: 'Echo',
      description: 'Says what you said.',
      tags: ['echo'],
      examples: [],
      inputModes: [],
      outputModes: [],
      securityRequirements: [],
    },
  ],
  signatures: [],
});

const handlerOf = (card: AgentCard) =>
  new DefaultRequestHandler(card, new InMemoryTaskStore(), new WordDrivenExecutor());

const start = (versions: readonly string[], protocolBinding: 'JSONRPC' | 'HTTP+JSON' = 'JSONRPC'): Promise<Peer> =>
  startExpress((app, baseUrl) => {
    const url = `${baseUrl}/a2a/${protocolBinding === 'JSONRPC' ? 'jsonrpc' : 'rest'}`;
    const legacyCompat = { enabled: versions.includes('0.3') };
    const requestHandler = handlerOf(cardOf(url, versions, protocolBinding));
    app.use('/.well-known/agent-card.json', agentCardHandler({ agentCardProvider: requestHandler, legacyCompat }));
    const options = { requestHandler, userBuilder: UserBuilder.noAuthentication, legacyCompat };
    if (protocolBinding === 'JSONRPC') app.use('/a2a/jsonrpc', jsonRpcHandler(options));
    else app.use('/a2a/rest', restHandler(options));
  });

/** A real agent, on a server that is not ours: @a2a-js/sdk 1.x, with streaming and push notifications. */
export const startSdk1Agent = () => start(['1.0']);

/** The same agent over HTTP+JSON alone. */
export const startSdk1RestAgent = () => start(['1.0'], 'HTTP+JSON');

/** The same agent in the SDK's compatibility mode: one endpoint that speaks 1.0 and 0.3. */
export const startSdk1CompatAgent = () => start(['1.0', '0.3']);

const startGrpcOf = (requestHandler: DefaultRequestHandler): Promise<Peer> =>
  startGrpc(
    A2AService,
    grpcService({
      requestHandler,
      userBuilder: GrpcUserBuilder.noAuthentication,
    }) as unknown as UntypedServiceImplementation,
  );

/** The same agent over gRPC alone, on the server of @grpc/grpc-js; it serves no card. */
export const startSdk1GrpcAgent = () => startGrpcOf(handlerOf(cardOf('127.0.0.1:0', ['1.0'], 'GRPC')));

/** A handler, whose card names its places once they are known: it keeps the card that it was given. */
const handlerInPlaces = () => {
  const card = cardOf('', [], 'GRPC');
  const declare = (places: Readonly<Record<string, string>>) => {
    for (const [protocolBinding, url] of Object.entries(places))
      card.supportedInterfaces.push({ url, protocolBinding, protocolVersion: '1.0', tenant: '' });
  };
  const requestHandler = handlerOf(card);
  return { requestHandler, declare, cardRoute: agentCardHandler({ agentCardProvider: requestHandler }) };
};

/** The same agent over gRPC alone, with its card on a web server beside it. */
export async function startSdk1GrpcAgentWithCard(): Promise<Peer> {
  const { requestHandler, declare, cardRoute } = handlerInPlaces();
  const rpc = await startGrpcOf(requestHandler);
  declare({ GRPC: rpc.url });
  return withCardBeside(rpc, (app) => app.use('/.well-known/agent-card.json', cardRoute));
}

/** The same agent over JSON-RPC, HTTP+JSON and gRPC, with one store of tasks; the card names them in this order. */
export async function startSdk1AgentOverAll(): Promise<Peer> {
  const { requestHandler, declare, cardRoute } = handlerInPlaces();
  const rpc = await startGrpcOf(requestHandler);
  return withCardBeside(rpc, (app, baseUrl) => {
    declare({ JSONRPC: `${baseUrl}/a2a/jsonrpc`, 'HTTP+JSON': `${baseUrl}/a2a/rest`, GRPC: rpc.url });
    const options = { requestHandler, userBuilder: UserBuilder.noAuthentication };
    app.use('/.well-known/agent-card.json', cardRoute);
    app.use('/a2a/jsonrpc', jsonRpcHandler(options));
    app.use('/a2a/rest', restHandler(options));
  });
}
