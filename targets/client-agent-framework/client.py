# agent-framework-a2a's A2AAgent as a client
import asyncio, json, os, sys
import httpx
from a2a.client import A2ACardResolver, AuthInterceptor
from a2a.client.auth.credentials import CredentialService
from a2a.types import TaskState
from agent_framework.a2a import A2AAgent

class Given(CredentialService):
    def __init__(self, credentials): self.credentials = credentials
    async def get_credentials(self, security_scheme_name, context): return self.credentials.get(security_scheme_name)

class Unsupported(Exception): pass

def told(text, session):
    known = session.service_session_id or {}
    state, task = known.get('task_state'), known.get('task_id')
    return {'text': text, **({'contextId': known['context_id']} if known else {}), **({'taskId': task} if task else {}),
            **({'state': TaskState.Name(state)} if state is not None else {})}

async def streamed(updates):
    # A piece that replaces is the whole of its artifact anew.
    texts = {}
    async for one in updates:
        texts[one.message_id] = (texts.get(one.message_id, '') if one.merge_mode != 'replace' else '') + one.text
    return '\n'.join(texts.values())

async def run(http, url, errand):
    for one in ('trusted', 'extensions', 'historyLength'):
        if one in errand: raise Unsupported(one)
    card = await A2ACardResolver(http, url).get_agent_card()
    agent = A2AAgent(agent_card=card, http_client=http, supported_protocol_bindings=[os.environ.get('A2A_BINDING', 'JSONRPC')],
                     auth_interceptor=AuthInterceptor(Given(errand['credentials'])) if 'credentials' in errand else None)
    session = agent.create_session()
    token = {'task_id': errand.get('taskId'), 'context_id': ''}
    match errand['do']:
        case 'send' | 'converse':
            for text in errand.get('texts') or [errand['text']]:
                response = await agent.run(text, session=session)
            return told(response.text, session)
        case 'stream':
            return told(await streamed(agent.run(errand['text'], stream=True, session=session)), session)
        case 'subscribe':
            return told(await streamed(agent.run(continuation_token=token, stream=True, session=session)), session)
        case 'get':
            return {'text': (await agent.poll_task(token)).text}
        case other:
            raise Unsupported(f'the errand {other}')

async def done(url, errand):
    try:
        async with httpx.AsyncClient(headers=errand.get('headers'), timeout=10) as http:
            return await run(http, url, errand), 0
    except Unsupported as error:
        return {'unsupported': str(error)}, 0
    except Exception as error:
        return {'error': {'name': type(error).__name__, 'message': str(error)}}, 1

for line in sys.stdin:
    one = json.loads(line)
    said, status = asyncio.run(done(one['url'], one['errand']))
    print(json.dumps({**said, 'id': one['id'], 'status': status}), flush=True)
