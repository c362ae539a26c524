import { bodyText, check, type Exchange, evidence, inconclusive, type Scene } from '../../src/kit/index.js';

// Plain GET requests beside the card and the endpoint: Terminal Bench document, API Endpoints.

interface Found {
  readonly exchange: Exchange;
  readonly failure: Exchange['failure'];
  readonly status: number;
  /** The body as JSON; undefined when it is not JSON. */
  readonly value: unknown;
}

const originOf = ({ target }: Scene): string => new URL(target.cardUrl ?? target.endpoint).origin;

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Fetches a path of the origin where the card was found. */
export const cardAt =
  (path: string) =>
  async (scene: Scene): Promise<Found> => {
    const exchange = await scene.client.get(`${originOf(scene)}${path}`);
    const { failure, response } = exchange;
    return { exchange, failure, status: response?.status ?? 0, value: jsonOf(bodyText(response?.body)) };
  };

export const healthRules = [
  // In our words (terminal-bench, API Endpoints): GET /health may tell the health of the agent.
  check('dialect/health', 'agent.health')
    .when('the client asks for /health', cardAt('/health'))
    .expects('return any answer', ({ exchange, failure }) => {
      // A body that is longer than the kit reads is an answer as well.
      if (failure === undefined || failure.kind === 'too-large') return undefined;
      const ours = failure.kind === 'budget' || failure.kind === 'aborted' || failure.kind === 'proxy';
      return ours ? inconclusive(`the kit could not send the request: ${failure.detail}`) : evidence(exchange);
    })
    .advice('Answer 404 for an unknown path: every path gets an answer.'),
];
