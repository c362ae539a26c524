"""An agent of google-adk 2.13 as its users write one: an agent without a model, made a server by to_a2a. PORT in the environment."""
import asyncio, os
import uvicorn
from google.adk.a2a.utils.agent_to_a2a import to_a2a
from google.adk.agents import BaseAgent
from google.adk.events import Event
from google.genai import types

PORT = int(os.environ.get('PORT', 4161))


class Words(BaseAgent):
    async def _run_async_impl(self, ctx):
        said = ' '.join(part.text or '' for part in ctx.user_content.parts)
        text = said.lower()

        def give(part, partial=False):
            return Event(author=self.name, invocation_id=ctx.invocation_id, partial=partial,
                         content=types.Content(role='model', parts=[part]))
        if 'fail' in text:
            raise RuntimeError('It failed.')
        if 'slow' in text:
            for n in range(8):
                await asyncio.sleep(0.5)
                yield give(types.Part(text=f'step {n} '), partial=True)
        if 'stream' in text:
            for word in ('one ', 'two ', 'three '):
                yield give(types.Part(text=word), partial=True)
                await asyncio.sleep(0.1)
            yield give(types.Part(text='one two three '))
        elif 'files' in text:
            yield give(types.Part(inline_data=types.Blob(data=b'bytes', mime_type='image/png', display_name='dot.png')))
        elif 'link' in text:
            yield give(types.Part(file_data=types.FileData(file_uri='https://example.com/dot.png', mime_type='image/png')))
        else:
            yield give(types.Part(text=f'You said: {said}'))


uvicorn.run(to_a2a(Words(name='words', description='Does what words ask for.'), host='127.0.0.1', port=PORT),
            host='127.0.0.1', port=PORT, log_level='warning')
