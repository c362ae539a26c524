"""An agent of strands-agents 1.62 as its users write one: a stub in place of a model, A2AServer. PORT in the environment."""
import asyncio, os
import uvicorn
from strands import Agent
from strands.models.model import Model
from strands.multiagent.a2a import A2AServer

PORT = int(os.environ.get('PORT', 4171))


class Words(Model):
    """A model that does what words ask for."""
    def update_config(self, **config): pass
    def get_config(self): return {}

    def structured_output(self, output_model, prompt, system_prompt=None, **more):
        raise NotImplementedError

    async def stream(self, messages, tool_specs=None, system_prompt=None, **more):
        said = ' '.join(block.get('text', '') for block in messages[-1]['content'])
        text = said.lower()
        if 'fail' in text:
            raise RuntimeError('It failed.')
        yield {'messageStart': {'role': 'assistant'}}
        yield {'contentBlockStart': {'start': {}}}
        steps = 8 if 'slow' in text else 0
        for n in range(steps):
            await asyncio.sleep(0.5)
            yield {'contentBlockDelta': {'delta': {'text': f'step {n} '}}}
        for word in ('one ', 'two ', 'three ') if 'stream' in text else (f'You said: {said}',):
            yield {'contentBlockDelta': {'delta': {'text': word}}}
        yield {'contentBlockStop': {}}
        yield {'messageStop': {'stopReason': 'end_turn'}}


agent = Agent(name='Words', description='Does what words ask for.', model=Words(), callback_handler=None)
server = A2AServer(agent, http_url=f'http://127.0.0.1:{PORT}/')
uvicorn.run(server.to_starlette_app(), host='127.0.0.1', port=PORT, log_level='warning')
