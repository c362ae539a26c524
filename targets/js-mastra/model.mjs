// A stub of a model of the AI SDK, in place of a model: it does what words ask for.
const pause = (ms) => new Promise((done) => setTimeout(done, ms));
const usage = { inputTokens: 1, outputTokens: 1, totalTokens: 2 };

/** What was said last. */
const saidIn = (prompt) =>
  prompt
    .filter(({ role }) => role === 'user')
    .at(-1)
    ?.content.map((part) => part.text ?? '')
    .join(' ') ?? '';

async function* piecesOf(said) {
  const text = said.toLowerCase();
  if (text.includes('fail')) throw new Error('It failed.');
  if (text.includes('slow'))
    for (let n = 0; n < 8; n++) {
      await pause(500);
      yield `step ${n} `;
    }
  else if (text.includes('stream'))
    for (const word of ['one ', 'two ', 'three ']) {
      yield word;
      await pause(100);
    }
  else yield `You said: ${said}`;
}

export const model = {
  specificationVersion: 'v2',
  provider: 'words',
  modelId: 'words',
  supportedUrls: {},
  async doGenerate({ prompt }) {
    let text = '';
    for await (const piece of piecesOf(saidIn(prompt))) text += piece;
    return { content: [{ type: 'text', text }], finishReason: 'stop', usage, warnings: [] };
  },
  async doStream({ prompt }) {
    const pieces = piecesOf(saidIn(prompt));
    const stream = new ReadableStream({
      async start(controller) {
        controller.enqueue({ type: 'stream-start', warnings: [] });
        controller.enqueue({ type: 'text-start', id: '1' });
        try {
          for await (const delta of pieces) controller.enqueue({ type: 'text-delta', id: '1', delta });
          controller.enqueue({ type: 'text-end', id: '1' });
          controller.enqueue({ type: 'finish', finishReason: 'stop', usage });
        } catch (error) {
          controller.enqueue({ type: 'error', error });
        }
        controller.close();
      },
    });
    return { stream };
  },
};
