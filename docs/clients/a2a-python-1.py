# A client of A2A 1.0 for `a2a-tck client`, on a2a-sdk 1.x:
#   pip install "a2a-sdk[http-server]==1.3.0"
#   npx a2a-tck@0.1.0 client --command "python a2a-python-1.py" --stdin
import asyncio
import json
import os
import sys
import uuid

import httpx
from a2a.client import A2ACardResolver, AuthInterceptor, ClientCallContext, ClientConfig, ClientFactory
from a2a.client.auth.credentials import CredentialService
from a2a.types.a2a_pb2 import (
    CancelTaskRequest,
    GetExtendedAgentCardRequest,
    GetTaskRequest,
    ListTasksRequest,
    Message,
    Part,
    Role,
    SendMessageRequest,
    SubscribeToTaskRequest,
    TaskState,
)

binding = os.environ.get('A2A_BINDING', 'JSONRPC')
settled = {
    TaskState.TASK_STATE_COMPLETED,
    TaskState.TASK_STATE_FAILED,
    TaskState.TASK_STATE_CANCELED,
    TaskState.TASK_STATE_REJECTED,
    TaskState.TASK_STATE_INPUT_REQUIRED,
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
        self.task_id = self.context_id = self.state = None
        self.artifacts, self.words, self.states = {}, '', []

    def take(self, event):
        if event.HasField('message'):
            self.words, self.context_id = text_of(event.message.parts), event.message.context_id
            self.state = TaskState.TASK_STATE_COMPLETED
        elif event.HasField('task'):
            self.take_task(event.task)
        elif event.HasField('status_update'):
            update = event.status_update
            self.take_status(update.task_id, update.context_id, update.status)
        elif event.HasField('artifact_update'):
            update = event.artifact_update
            before = self.artifacts.get(update.artifact.artifact_id, '') if update.append else ''
            self.artifacts[update.artifact.artifact_id] = before + text_of(update.artifact.parts)

    def take_status(self, task_id, context_id, status):
        self.task_id, self.context_id, self.state = task_id, context_id, status.state
        self.words = text_of(status.message.parts)
        self.states.append(state_name(status.state))

    def take_task(self, task):
        self.take_status(task.id, task.context_id, task.status)
        self.artifacts = {one.artifact_id: text_of(one.parts) for one in task.artifacts}

    def told(self):
        texts = [*self.artifacts.values(), self.words]
        return {
            **({} if self.state is None else {'state': state_name(self.state)}),
            'text': '\n'.join(one for one in texts if one != ''),
            **({'taskId': self.task_id} if self.task_id else {}),
            **({'contextId': self.context_id} if self.context_id else {}),
            'states': self.states,
        }


def text_of(parts):
    return ''.join(part.text for part in parts)


def state_name(state):
    return TaskState.Name(state) if state in TaskState.values() else str(state)


def message(text, **talk):
    return Message(message_id=str(uuid.uuid4()), role=Role.ROLE_USER, parts=[Part(text=text)], **talk)


async def said(client, text, context, known, **talk):
    async for event in client.send_message(SendMessageRequest(message=message(text, **talk)), context=context):
        known.take(event)


async def followed(client, context, known):
    while known.task_id is not None and known.state not in settled:
        await asyncio.sleep(0.3)
        known.take_task(await client.get_task(GetTaskRequest(id=known.task_id), context=context))


async def run(http, url, errand):
    if errand.get('trusted') is not None:
        raise Unsupported('signatures of cards')
    if errand.get('extensions') is not None:
        raise Unsupported('extensions')
    card = await A2ACardResolver(http, url).get_agent_card()
    config = ClientConfig(
        streaming=errand['do'] == 'stream', httpx_client=http, supported_protocol_bindings=[binding]
    )
    interceptors = [AuthInterceptor(Given(errand['credentials']))] if 'credentials' in errand else []
    client = ClientFactory(config).create(card, interceptors)
    context, known = ClientCallContext(), Known()
    match errand['do']:
        case 'send':
            await said(client, errand['text'], context, known)
            await followed(client, context, known)
        case 'stream':
            await said(client, errand['text'], context, known)
            await followed(client, context, known)
        case 'converse':
            for text in errand['texts']:
                talk = {'context_id': known.context_id} if known.context_id else {}
                if known.state == TaskState.TASK_STATE_INPUT_REQUIRED:
                    talk['task_id'] = known.task_id
                known.artifacts, known.words = {}, ''
                await said(client, text, context, known, **talk)
                await followed(client, context, known)
        case 'get':
            length = errand.get('historyLength')
            more = {} if length is None else {'history_length': length}
            known.take_task(await client.get_task(GetTaskRequest(id=errand['taskId'], **more), context=context))
        case 'cancel':
            known.take_task(await client.cancel_task(CancelTaskRequest(id=errand['taskId']), context=context))
        case 'subscribe':
            async for event in client.subscribe(SubscribeToTaskRequest(id=errand['taskId']), context=context):
                known.take(event)
        case 'list':
            return {'ids': await pages(client, context, errand.get('filter', {}))}
        case 'extended-card':
            await client.get_extended_agent_card(GetExtendedAgentCardRequest(), context=context)
            await said(client, errand['text'], context, known)
            await followed(client, context, known)
        case other:
            raise Unsupported(f'the errand {other}')
    return known.told()


async def pages(client, context, wanted):
    query = ListTasksRequest()
    if 'contextId' in wanted:
        query.context_id = wanted['contextId']
    if 'state' in wanted:
        query.status = TaskState.Value(wanted['state'])
    if 'pageSize' in wanted:
        query.page_size = wanted['pageSize']
    if 'updatedAfter' in wanted:
        query.status_timestamp_after.FromJsonString(wanted['updatedAfter'])
    ids = []
    while True:
        page = await client.list_tasks(query, context=context)
        ids += [task.id for task in page.tasks]
        if page.next_page_token == '':
            return ids
        query.page_token = page.next_page_token


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
