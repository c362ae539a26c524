"""An agent of a2a-sdk 1.3.0 as its users write one: JSON-RPC at /, HTTP+JSON at /rest, gRPC beside it. PORT, GRPC in the environment; with LEGACY it
speaks 0.3, through the compatibility layer."""
import asyncio, os
import grpc, httpx, uvicorn
from starlette.applications import Starlette
from a2a.compat.v0_3 import a2a_v0_3_pb2_grpc
from a2a.compat.v0_3.grpc_handler import CompatGrpcHandler
from a2a.helpers import new_task, new_text_message, new_text_part, new_data_part, new_raw_part, new_url_part
from a2a.server.agent_execution import AgentExecutor, RequestContext
from a2a.server.events import EventQueue
from a2a.server.request_handlers import DefaultRequestHandler, GrpcHandler
from a2a.server.routes import create_agent_card_routes, create_jsonrpc_routes, create_rest_routes
from a2a.server.tasks import BasePushNotificationSender, InMemoryPushNotificationConfigStore, InMemoryTaskStore, TaskUpdater
from a2a.types import AgentCapabilities, AgentCard, AgentInterface, AgentSkill, Task, TaskState, TaskStatus
from a2a.types import a2a_pb2_grpc

PORT, GRPC = int(os.environ.get('PORT', 4113)), int(os.environ.get('GRPC', 4114))
LEGACY = 'LEGACY' in os.environ
VERSION = '0.3' if LEGACY else '1.0'


class Executor(AgentExecutor):
    async def execute(self, context: RequestContext, event_queue: EventQueue) -> None:
        text = context.get_user_input().lower()
        if 'message' in text and not context.current_task:
            await event_queue.enqueue_event(new_text_message(f'you said: {text}', context_id=context.context_id))
            return
        if not context.current_task:
            await event_queue.enqueue_event(Task(id=context.task_id, context_id=context.context_id,
                status=TaskStatus(state=TaskState.TASK_STATE_SUBMITTED), history=[context.message]))
        up = TaskUpdater(event_queue, context.task_id, context.context_id)
        say = lambda words: up.new_agent_message([new_text_part(words)])
        if 'input' in text:
            return await up.requires_input(say('What else?'))
        if 'credentials' in text:
            return await up.requires_auth(say('Sign in, please.'))
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
                await up.add_artifact([new_text_part(f'chunk {n} ')], artifact_id='streamed', name='streamed', append=n > 0, last_chunk=n == 3)
                await asyncio.sleep(0.1)
        elif 'files' in text:
            await up.add_artifact([new_raw_part(b'bytes', 'image/png', 'dot.png')], name='file')
        elif 'link' in text:
            await up.add_artifact([new_url_part('https://example.com/dot.png', 'image/png', 'dot.png')], name='link')
        elif 'data' in text:
            await up.add_artifact([new_data_part({'report': 'weekly', 'n': [1, 2.5, None]})], name='data')
        else:
            await up.add_artifact([new_text_part(f'echo: {context.get_user_input()}')], name='result')
        await up.complete()

    async def cancel(self, context: RequestContext, event_queue: EventQueue) -> None:
        await TaskUpdater(event_queue, context.task_id, context.context_id).cancel()


interfaces = [AgentInterface(url=f'http://127.0.0.1:{PORT}/', protocol_binding='JSONRPC', protocol_version=VERSION),
              AgentInterface(url=f'http://127.0.0.1:{PORT}/rest', protocol_binding='HTTP+JSON', protocol_version=VERSION),
              AgentInterface(url=f'127.0.0.1:{GRPC}', protocol_binding='GRPC', protocol_version=VERSION)]
card = AgentCard(name='Words', description='An agent on a2a-sdk 1.3.0', version='1.0.0', supported_interfaces=interfaces,
                 default_input_modes=['text/plain', 'application/json', 'image/png'], default_output_modes=['text/plain', 'application/json', 'image/png'],
                 capabilities=AgentCapabilities(streaming=True, push_notifications=True),
                 skills=[AgentSkill(id='echo', name='Echo', description='Says it again', tags=['echo'])])


async def main() -> None:
    configs = InMemoryPushNotificationConfigStore()
    handler = DefaultRequestHandler(agent_executor=Executor(), task_store=InMemoryTaskStore(), agent_card=card,
        push_config_store=configs, push_sender=BasePushNotificationSender(httpx.AsyncClient(), configs))
    app = Starlette(routes=[*create_agent_card_routes(card, cache_control='public, max-age=60'), *create_jsonrpc_routes(handler, '/', enable_v0_3_compat=LEGACY),
                            *create_rest_routes(handler, path_prefix='/rest', enable_v0_3_compat=LEGACY)])
    server = grpc.aio.server()
    if LEGACY:
        a2a_v0_3_pb2_grpc.add_A2AServiceServicer_to_server(CompatGrpcHandler(handler), server)
    else:
        a2a_pb2_grpc.add_A2AServiceServicer_to_server(GrpcHandler(handler), server)
    server.add_insecure_port(f'127.0.0.1:{GRPC}')
    await server.start()
    await uvicorn.Server(uvicorn.Config(app, host='127.0.0.1', port=PORT, log_level='warning')).serve()

asyncio.run(main())
