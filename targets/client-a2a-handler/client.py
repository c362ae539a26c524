# a2a-handler's A2AService as a client
import asyncio, json, logging, sys
logging.disable(logging.CRITICAL)
import httpx
from a2a_handler.auth import create_api_key_auth, create_basic_auth, create_bearer_auth
from a2a_handler.service import (A2AService, extract_text, response_context_id, response_needs_input, response_state, response_task_id,
                                 state_is_settled, state_label, state_needs_auth, task_state_from_label)
from a2a_handler.turn import AgentTurn

class Unsupported(Exception): pass

def given(card, credentials):
    """The one credential that the service takes, in the place that the card says."""
    for name, scheme in card.security_schemes.items():
        if name not in credentials: continue
        kind, value = scheme.WhichOneof('scheme'), credentials[name]
        if len(credentials) > 1: raise Unsupported('more than one credential')
        if kind == 'api_key_security_scheme':
            if scheme.api_key_security_scheme.location != 'header': raise Unsupported('a key that is not in a header')
            return create_api_key_auth(value, scheme.api_key_security_scheme.name)
        if kind == 'http_auth_security_scheme' and scheme.http_auth_security_scheme.scheme.lower() == 'basic':
            return create_basic_auth(*value.split(':', 1))
        return create_bearer_auth(value)

def told(response, states=()):
    state = response_state(response)
    return {'text': extract_text(response), 'taskId': response_task_id(response), 'contextId': response_context_id(response), 'states': [*states],
            **({} if state is None else {'state': state_label(state)})}

async def settled(service, response):
    while (state := response_state(response)) is not None and (not state_is_settled(state) or state_needs_auth(state)):
        await asyncio.sleep(0.3)
        response = await service.get_task(response_task_id(response))
    return response

async def driven(service, turn):
    states = [state_label(event.state) async for event in turn.events() if event.state]
    if turn.result.error: raise turn.result.error
    if turn.result.response is None: return {'text': turn.result.narration, 'warnings': ['no task and no message came']}
    return told(await settled(service, turn.result.response), states)

async def run(http, url, errand):
    if 'trusted' in errand: raise Unsupported('signatures of cards')
    service = A2AService(http, url, enable_streaming=errand['do'] in ('stream', 'subscribe'), extensions=errand.get('extensions'))
    if 'credentials' in errand:
        if credentials := given(await service.get_card(), errand['credentials']): service.set_credentials(credentials)
    match errand['do']:
        case 'send' | 'converse' | 'extended-card':
            if errand['do'] == 'extended-card': await service.get_extended_card()
            context = task = None
            for text in errand.get('texts') or [errand['text']]:
                response = await settled(service, await service.send(text, context, task))
                context = response_context_id(response)
                task = response_task_id(response) if response_needs_input(response) else None
            return told(response)
        case 'stream':
            return await driven(service, AgentTurn(service, errand['text']))
        case 'subscribe':
            return await driven(service, AgentTurn(service, '', task_id=errand['taskId'], attach=True))
        case 'get':
            return told(await service.get_task(errand['taskId'], errand.get('historyLength')))
        case 'cancel':
            return told(await service.cancel_task(errand['taskId']))
        case 'list':
            wanted = errand.get('filter', {})
            if 'updatedAfter' in wanted: raise Unsupported('a list by time')
            state = task_state_from_label(wanted['state'].removeprefix('TASK_STATE_')) if 'state' in wanted else None
            return {'ids': [one.id for one in (await service.list_all_tasks(wanted.get('contextId'), state, wanted.get('pageSize'))).tasks]}
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
