"""An agent of agent-framework-a2a 1.0.0b261022 as its users write one: an agent without a model, behind A2AExecutor. PORT in the environment."""
import asyncio, os
import uvicorn
from a2a.server.request_handlers import DefaultRequestHandler
from a2a.server.routes import create_agent_card_routes, create_jsonrpc_routes
from a2a.server.tasks import InMemoryTaskStore
from a2a.types import AgentCapabilities, AgentCard, AgentInterface, AgentSkill
from agent_framework import AgentResponse, AgentResponseUpdate, BaseAgent, Content, ResponseStream
from agent_framework.a2a import A2AExecutor
from starlette.applications import Starlette

PORT = int(os.environ.get('PORT', 4181))


class Words(BaseAgent):
    """Does what words ask for."""
    async def updates(self, said):
        text = said.lower()

        def give(*contents, **more):
            return AgentResponseUpdate(contents=list(contents), role='assistant', **more)
        if 'fail' in text:
            raise RuntimeError('It failed.')
        if 'slow' in text:
            for n in range(8):
                await asyncio.sleep(0.5)
                yield give(Content.from_text(f'step {n} '))
        elif 'stream' in text:
            for word in ('one ', 'two ', 'three '):
                yield give(Content.from_text(word))
                await asyncio.sleep(0.1)
        elif 'files' in text:
            yield give(Content.from_data(data=b'bytes', media_type='image/png'))
        elif 'link' in text:
            yield give(Content.from_uri('https://example.com/dot.png', media_type='image/png'))
        else:
            yield give(Content.from_text(f'You said: {said}'))

    def run(self, messages=None, *, stream=False, session=None, **more):
        response = ResponseStream(self.updates(str(messages)), finalizer=AgentResponse.from_updates)
        return response if stream else response.get_final_response()


card = AgentCard(name='Words', description='Does what words ask for.', version='1.0.0',
                 default_input_modes=['text/plain'], default_output_modes=['text/plain', 'image/png'],
                 capabilities=AgentCapabilities(streaming=True),
                 supported_interfaces=[AgentInterface(url=f'http://127.0.0.1:{PORT}/', protocol_binding='JSONRPC', protocol_version='1.0')],
                 skills=[AgentSkill(id='words', name='Words', description='Does what words ask for.', tags=['words'])])
handler = DefaultRequestHandler(agent_executor=A2AExecutor(Words(name='words'), stream=True), task_store=InMemoryTaskStore(), agent_card=card)
app = Starlette(routes=[*create_agent_card_routes(card, cache_control='public, max-age=60'), *create_jsonrpc_routes(handler, '/')])
uvicorn.run(app, host='127.0.0.1', port=PORT, log_level='warning')
