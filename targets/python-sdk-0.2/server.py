"""An agent of a2a-sdk 0.2.16 as its users write one: JSON-RPC at /. PORT in the environment."""
import asyncio, base64, os
import httpx, uvicorn
from a2a.server.agent_execution import AgentExecutor, RequestContext
from a2a.server.apps import A2AStarletteApplication
from a2a.server.events import EventQueue
from a2a.server.request_handlers import DefaultRequestHandler
from a2a.server.tasks import BasePushNotificationSender, InMemoryPushNotificationConfigStore, InMemoryTaskStore, TaskUpdater
from a2a.types import (AgentCapabilities, AgentCard, AgentSkill, DataPart, FilePart, FileWithBytes, FileWithUri,
                       Part, TextPart)
from a2a.utils import new_agent_text_message, new_task

PORT = int(os.environ.get('PORT', 4105))
text_part = lambda words: Part(root=TextPart(text=words))


class Executor(AgentExecutor):
    async def execute(self, context: RequestContext, event_queue: EventQueue) -> None:
        text = context.get_user_input().lower()
        if 'message' in text and not context.current_task:
            await event_queue.enqueue_event(new_agent_text_message(f'you said: {text}', context_id=context.context_id))
            return
        task = context.current_task
        if not task:
            task = new_task(context.message)
            await event_queue.enqueue_event(task)
        up = TaskUpdater(event_queue, task.id, task.context_id)
        say = lambda words: new_agent_text_message(words, task.context_id, task.id)
        if 'input' in text:
            return await up.requires_input(say('What else?'), final=True)
        if 'credentials' in text:
            return await up.requires_auth(say('Sign in, please.'), final=True)
        if 'reject' in text:
            return await up.reject(say('I will not do that.'))
        await up.start_work()
        if 'throw' in text:
            raise RuntimeError('boom')
        if 'fail' in text:
            return await up.failed(say('It failed.'))
        if 'slow' in text:
            for n in range(8):
                await asyncio.sleep(0.5)
                await up.start_work(say(f'step {n}'))
        if 'stream' in text:
            for n in range(4):
                await up.add_artifact([text_part(f'chunk {n} ')], artifact_id='streamed', name='streamed', append=n > 0, last_chunk=n == 3)
                await asyncio.sleep(0.1)
        elif 'files' in text:
            file = FileWithBytes(bytes=base64.b64encode(b'bytes').decode(), mime_type='image/png', name='dot.png')
            await up.add_artifact([Part(root=FilePart(file=file))], name='file')
        elif 'link' in text:
            file = FileWithUri(uri='https://example.com/dot.png', mime_type='image/png', name='dot.png')
            await up.add_artifact([Part(root=FilePart(file=file))], name='link')
        elif 'data' in text:
            await up.add_artifact([Part(root=DataPart(data={'report': 'weekly', 'n': [1, 2.5, None]}))], name='data')
        else:
            await up.add_artifact([text_part(f'echo: {context.get_user_input()}')], name='result')
        await up.complete()

    async def cancel(self, context: RequestContext, event_queue: EventQueue) -> None:
        await TaskUpdater(event_queue, context.task_id, context.context_id).cancel()


card = AgentCard(name='Words', description='An agent on a2a-sdk 0.2.16', version='1.0.0', url=f'http://127.0.0.1:{PORT}/',
                 default_input_modes=['text/plain', 'application/json', 'image/png'], default_output_modes=['text/plain', 'application/json', 'image/png'],
                 capabilities=AgentCapabilities(streaming=True, push_notifications=True),
                 skills=[AgentSkill(id='echo', name='Echo', description='Says it again', tags=['echo'])])


async def main() -> None:
    configs = InMemoryPushNotificationConfigStore()
    handler = DefaultRequestHandler(agent_executor=Executor(), task_store=InMemoryTaskStore(),
        push_config_store=configs, push_sender=BasePushNotificationSender(httpx.AsyncClient(), configs))
    app = A2AStarletteApplication(agent_card=card, http_handler=handler).build()
    await uvicorn.Server(uvicorn.Config(app, host='127.0.0.1', port=PORT, log_level='warning')).serve()

asyncio.run(main())
