# A client of A2A 0.3 for `a2a-tck client`, on a2a-sdk 0.3.x:
#   pip install "a2a-sdk[http-server]==0.3.26"
#   npx a2a-tck@0.1.0 client --command "python a2a-python-0.3.py" --stdin --profile a2a-0.3
import asyncio
import json
import os
import sys
import uuid

import httpx
from a2a.client import A2ACardResolver, AuthInterceptor, ClientCallContext, ClientConfig, ClientFactory
from a2a.client.auth.credentials import CredentialService
from a2a.types import (
    Message,
    Part,
    Role,
    TaskIdParams,
    TaskQueryParams,
    TaskState,
    TextPart,
)

binding = os.environ.get('A2A_BINDING', 'JSONRPC')
settled = {
    TaskState.completed,
    TaskState.failed,
    TaskState.canceled,
    TaskState.rejected,
    TaskState.input_required,
}


class Unsupported(Exception):
    pass


class Given(CredentialService):
    """The credentials of the errand, by the name of the scheme."""

    def __init__(self, credentials):
        self.credentials = credentials

    async def get_credentials(self, security_scheme_name, context):
        return self.credentials.get(security_scheme_name)


class Known:
    """What is known of one answer."""

    def __init__(self):
        self.task = None
        self.words, self.context_id, self.state, self.states = '', None, None, []

    def take(self, event):
        """A message, or the task as it is after an event: the library puts the events of a stream together."""
        if isinstance(event, Message):
            self.words, self.context_id, self.state = text_of(event.parts), event.context_id, TaskState.completed
        else:
            self.take_task(event[0])

    def take_task(self, task):
        if task.status.state != self.state:
            self.states.append(task.status.state.value)
        self.task, self.context_id, self.state = task, task.context_id, task.status.state
        message = task.status.message
        self.words = '' if message is None else text_of(message.parts)

    def told(self):
        artifacts = (self.task.artifacts or []) if self.task else []
        texts = [*(text_of(one.parts) for one in artifacts), self.words]
        return {
            **({} if self.state is None else {'state': self.state.value}),
            'text': '\n'.join(one for one in texts if one != ''),
            **({'taskId': self.task.id} if self.task else {}),
            **({'contextId': self.context_id} if self.context_id else {}),
            'states': self.states,
        }


def text_of(parts):
    return ''.join(part.root.text for part in parts if isinstance(part.root, TextPart))


def message(text, **talk):
    return Message(message_id=str(uuid.uuid4()), role=Role.user, parts=[Part(root=TextPart(text=text))], **talk)


async def said(client, text, context, known, **talk):
    async for event in client.send_message(message(text, **talk), context=context):
        known.take(event)


async def followed(client, context, known):
    while known.task is not None and known.state not in settled:
        await asyncio.sleep(0.3)
        known.take_task(await client.get_task(TaskQueryParams(id=known.task.id), context=context))


async def run(http, url, errand):
    if errand.get('trusted') is not None:
        raise Unsupported('signatures of cards')
    if errand.get('extensions') is not None:
        raise Unsupported('extensions')
    card = await A2ACardResolver(http, url).get_agent_card()
    config = ClientConfig(streaming=errand['do'] == 'stream', httpx_client=http, supported_transports=[binding])
    interceptors = [AuthInterceptor(Given(errand['credentials']))] if 'credentials' in errand else []
    client = ClientFactory(config).create(card, interceptors=interceptors)
    context, known = ClientCallContext(), Known()
    match errand['do']:
        case 'send' | 'stream':
            await said(client, errand['text'], context, known)
            await followed(client, context, known)
        case 'converse':
            for text in errand['texts']:
                talk = {'context_id': known.context_id} if known.context_id else {}
                if known.state == TaskState.input_required:
                    talk['task_id'] = known.task.id
                known.task, known.state, known.words = None, None, ''
                await said(client, text, context, known, **talk)
                await followed(client, context, known)
        case 'get':
            query = TaskQueryParams(id=errand['taskId'], history_length=errand.get('historyLength'))
            known.take_task(await client.get_task(query, context=context))
        case 'cancel':
            known.take_task(await client.cancel_task(TaskIdParams(id=errand['taskId']), context=context))
        case 'subscribe':
            async for event in client.resubscribe(TaskIdParams(id=errand['taskId']), context=context):
                known.take(event)
        case 'extended-card':
            await client.get_card(context=context)
            await said(client, errand['text'], context, known)
            await followed(client, context, known)
        case other:
            raise Unsupported(f'the errand {other}')
    return known.told()


async def done(url, errand):
    """What is told of an errand, and the exit status."""
    async with httpx.AsyncClient(headers=errand.get('headers'), timeout=10) as http:
        try:
            return await run(http, url, errand), 0
        except Unsupported as error:
            return {'unsupported': str(error)}, 0
        except Exception as error:
            return {'error': {'name': type(error).__name__, 'message': str(error)}}, 1


def main():
    url = sys.argv[-1]
    if url == '-':
        for line in sys.stdin:
            one = json.loads(line)
            told, status = asyncio.run(done(one['url'], one['errand']))
            print(json.dumps({**told, 'id': one['id'], 'status': status}), flush=True)
        return 0
    errand = json.loads(os.environ.get('A2A_CONTEXT', '{"do":"send","text":"Hello"}'))
    told, status = asyncio.run(done(url, errand))
    print(json.dumps(told))
    return status


sys.exit(main())
